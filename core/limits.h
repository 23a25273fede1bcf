#pragma once

#include <QtGlobal>
#include <limits>

// Every bound and every default of the product. openapi/master.yaml repeats those that a client can meet, and a test compares the two.
// The last part of a name is its unit. A comment says where a number comes from, if a specification or a measurement gave it.
namespace junban::limits {

// --- A job (bounds on max_retry and timeout are ours: docs/decisions/jobs.md) -----------------------------------------------
inline constexpr int name_bytes_max = 200;             // also of worker ids and keys
inline constexpr qint64 argument_bytes_max = 256 * 1024;
inline constexpr qint64 argument_bytes_hard_max = 4 * 1024 * 1024;
inline constexpr qint32 priority_default = 0;
inline constexpr int max_retry_max = 100;
inline constexpr int max_retry_default = 0;
inline constexpr double timeout_s_min = 1;
inline constexpr double timeout_s_max = 86'400;
inline constexpr double timeout_s_default = 30;        // the specification's
inline constexpr double delay_s_max = 366.0 * 86'400;
inline constexpr double result_ttl_s_min = 1;
// Every time that a master is sent: 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z.
inline constexpr long long time_ms_min = 0;
inline constexpr long long time_ms_max = 253'402'300'799'999;
// An end that is said as so long from now: of a pause, a muting, a constraint, a token.
inline constexpr double ahead_s_min = 0.001;
inline constexpr double ahead_s_max = 36'525.0 * 86'400;
inline constexpr double result_ttl_s_max = 30.0 * 86'400;
inline constexpr double result_ttl_s_default = 3'600;
inline constexpr double backoff_base_s_default = 2;
inline constexpr double backoff_base_s_max = 86'400;
inline constexpr double backoff_factor_default = 2;
inline constexpr double backoff_factor_max = 100;
inline constexpr double backoff_max_s_default = 3'600;
inline constexpr double backoff_max_s_max = 30.0 * 86'400;
inline constexpr double backoff_jitter_default = 0.2;
inline constexpr double backoff_jitter_max = 1;
inline constexpr int tags_max = 16;
inline constexpr int trace_bytes_max = 512;
inline constexpr int window_boundaries_kept = 16;      // the next openings and closings of a job's windows, kept in Redis
inline constexpr int window_wait_ms = 1'000;           // how long a job waits until a master has computed the next ones
inline constexpr int unreadable_again_ms = 60'000;      // what cannot be read is held for this long, and then tried again
inline constexpr int unreadable_kept_ms = 3 * unreadable_again_ms; // and is told of for this long after it was met last
inline constexpr int unreadable_shown_max = 100;
inline constexpr int window_ahead_ms = 60'000;         // a master is asked for them this long before the job needs them
inline constexpr int depends_on_max = 100;
inline constexpr int then_max = 16;
inline constexpr int then_depth_max = 4;               // jobs after jobs after …
inline constexpr double expires_in_s_min = 1;
inline constexpr double expires_in_s_max = 366.0 * 86'400;
inline constexpr double group_kept_s = 30.0 * 86'400;  // after its last job ended
inline constexpr double handoff_s_min = 1;
inline constexpr double handoff_s_max = 30.0 * 86'400;
inline constexpr int history_argument_bytes_max = 4 * 1024; // an edited job's history keeps an argument up to this size
inline constexpr int edit_tries_max = 5;               // when the job changes while it is being edited

// --- Reports ---------------------------------------------------------------------------------------------------------------
inline constexpr qint64 result_bytes_max = 1024 * 1024;
inline constexpr qint64 error_bytes_max = 64 * 1024;   // larger: replaced by {truncated: true, size}
inline constexpr qint64 message_bytes_max = 8 * 1024;  // longer: cut at a character and marked
inline constexpr int finished_at_bytes_max = 64;
inline constexpr double lease_s_min = 1;
inline constexpr double progress_max = 1e15;
inline constexpr int releases_max = 20;                // the next release counts as a failure (transition 7, `release`)
inline constexpr int poison_expiries = 3;              // leases in a row that ran out in silence (transition 11, `expire-lease`)
inline constexpr int attempts_kept_max = 200;          // entries of a job's attempt list

// --- Results and retention -------------------------------------------------------------------------------------------------
inline constexpr double receipt_s = 60;
inline constexpr int receipt_bytes_max = 200;
inline constexpr double result_wait_s_max = 60;
inline constexpr qint64 succeeded_kept_max = 100'000;
inline constexpr double succeeded_kept_s = 24 * 3'600;
inline constexpr qint64 failed_kept_max = 100'000;
inline constexpr double failed_kept_s = 30.0 * 86'400;
inline constexpr qint64 cancelled_kept_max = 10'000;
inline constexpr double cancelled_kept_s = 7 * 86'400;
inline constexpr double retention_s_max = 366.0 * 86'400;
inline constexpr qint64 retention_count_max = 10'000'000;
inline constexpr int retention_names_max = 1'000;      // job names with their own retention settings
inline constexpr int tracked_max = 1'000;
inline constexpr double tracked_put_off_s = 24 * 3'600; // the purge of a tracked job is put off by this much, again and again
inline constexpr double trash_s = 24 * 3'600;          // how long a deleted job can be restored
inline constexpr double idempotency_s = 24 * 3'600;
inline constexpr qint64 idempotency_keys_max = 1'000'000;

// --- Statistics, series, failures ------------------------------------------------------------------------------------------
inline constexpr int stats_days_max = 90;
inline constexpr qint64 stats_rows_max = 100'000;      // a row for each name and day, 1 KiB; the oldest are dropped first
inline constexpr int series_days_max = 8;
inline constexpr int series_names_max = 64;            // names that have series of their own: those enqueued first
inline constexpr int series_seconds_max = 600;         // how long a series has a point for each second
inline constexpr int failure_groups_max = 10'000;
inline constexpr double failure_groups_s = 30.0 * 86'400; // a group is forgotten this long after its last failure
inline constexpr int failure_workers_max = 50;         // workers that a group counts one by one
inline constexpr double failure_workers_s = 8 * 24 * 3600.0; // a worker's trend is kept for so long after its last failure
inline constexpr int failure_title_chars_max = 200;    // of a normalised message
inline constexpr int failure_retry_max = 1'000;        // jobs of a group that one request retries

// --- Matchers (docs/matchers.md, "Bounds") -----------------------------------------------------------------------------------
inline constexpr int matcher_text_bytes_max = 4 * 1024;
inline constexpr int matcher_nodes_max = 256;
inline constexpr int matcher_depth_max = 64;
inline constexpr int matcher_problems_max = 20;        // reported of one expression
inline constexpr int matcher_steps_max = 50'000;       // of one evaluation; some milliseconds
inline constexpr int matcher_memory_bytes_max = 1024 * 1024; // of one evaluation, for strings, lists and maps it makes
inline constexpr int matcher_pattern_bytes_max = 1'024; // of a regular expression that is not a literal
inline constexpr int matcher_pattern_memory_bytes_max = 1024 * 1024; // of a compiled regular expression
inline constexpr int matcher_pattern_size_max = 2'000; // its instructions
inline constexpr int matcher_names_max = 256;          // names and prefixes that a matcher is limited to; if more: any name
inline constexpr int matchers_max = 10'000;
inline constexpr int matcher_id_bytes_max = 64;
inline constexpr int matcher_title_bytes_max = 200;
inline constexpr int matcher_note_bytes_max = 4 * 1024;
inline constexpr int matcher_rank_max = 1'000'000;     // the smallest is -1,000,000
inline constexpr int matcher_exempts_max = 64;
inline constexpr int matcher_masks_max = 32;           // places whose values a matcher hides
inline constexpr int mask_path_bytes_max = 200;
inline constexpr int mask_keys_max = 100;              // patterns of keys whose values are hidden …
inline constexpr const char *mask_keys_default[] = {"*pass*", "*token*", "*secret*", "*authorization*", "*api_key*", "*apikey*",
    "*api-key*", "*credential*", "*private_key*", "*private-key*", "cookie", "set-cookie"}; // … unless `--mask-keys` says others
inline constexpr int matcher_revisions_max = 100;      // kept of each matcher
inline constexpr double matcher_history_s = 30.0 * 86'400; // how long the revisions of a deleted matcher are kept
inline constexpr int matcher_save_tries_max = 5;       // when other matchers are saved at the same time
inline constexpr int tie_jobs_max = 4'096;             // made-up jobs that are tried to find one that two matchers match
inline constexpr qint64 tie_steps_max = 4'000'000;     // steps that this search may take for one save
inline constexpr int matchers_page_max = 100;
inline constexpr int matcher_names_shown_max = 20;     // of the names a matcher can match
inline constexpr double preview_s_max = 1;             // how long a preview looks at jobs
inline constexpr int preview_samples_max = 10;
inline constexpr int preview_keys_max = 10;            // of each constraint: the keys with most jobs
inline constexpr int preview_distinct_max = 10'000;    // keys that are counted one by one
inline constexpr double preview_replay_s = 15 * 60;    // the last starts that a preview replays
inline constexpr int preview_starts_max = 20'000;
inline constexpr int preview_terms_max = 64;           // shown of an expression that is tried on one job
inline constexpr int preview_reads_max = 4;            // values shown of each term
inline constexpr int preview_read_bytes_max = 100;
inline constexpr int preview_steps_max = 2 * matcher_steps_max; // after this many, no further term is evaluated
inline constexpr int reread_ms = 1'000;                // how often a master looks for jobs that the new matchers have not read yet
inline constexpr int held_buckets_max = 1'000;         // looked at for one answer
inline constexpr int held_lingers_ms = 10'000;          // a limit that opens for a moment and closes again holds jobs all the while
inline constexpr int held_by_max = 20;                 // constraints that the overview lists: holding most jobs, breakers, or backlogs
inline constexpr int ready_names_max = 1'000;           // names, those made last, whose ready jobs the overview sums up …
inline constexpr int priority_reads_max = 2'000;        // … with so many priorities of names in all
inline constexpr int overview_priorities_max = 20;     // that it lists: the last ones
inline constexpr int unasked_names_max = 20;           // names that no worker asks for and that it lists: with most jobs …
inline constexpr double unasked_after_s = 5;           // … the oldest of which is as old as this
inline constexpr int overview_pauses_max = 20;         // pauses that it lists, the newest first
inline constexpr double server_away_s_max = 366 * 86'400.0; // how long Redis can be said to have given no answer
inline constexpr double changes_wait_s_max = 60;       // how long a request waits for a change
inline constexpr int changes_look_ms = 200;            // how often a master looks for changes while somebody waits for them …
inline constexpr int changes_pause_ms = 250;           // … and how long it pauses after one, so nobody is told of more than four a second
inline constexpr int metrics_names_max = 50;           // names that the metrics tell apart: those with the most jobs …
inline constexpr int metrics_names_read_max = 10'000;  // … among so many
inline constexpr int situation_ms = 1'000;             // how old the overview's figures about constraints may be
inline constexpr int asked_names_max = 2'000;          // names that workers asked this engine for and that it remembers …
inline constexpr double asked_kept_s = 7 * 86'400;     // … for this long after the last claim
inline constexpr double asked_lately_s = 60;           // a name asked for within this time has workers, even if none waits right now
inline constexpr int holders_shown_max = 10;

// --- Constraints (docs/constraints.md, "The kinds") --------------------------------------------------------------------------
inline constexpr int constraints_max = 16;             // of one matcher
inline constexpr int constraint_by_max = 4;
inline constexpr int constraint_overrides_max = 1'000;
inline constexpr qint64 constraint_limit_max = 1'000'000'000;
inline constexpr qint64 constraint_cost_max = 1'000'000;
inline constexpr qint64 rate_sliding_limit_max = 10'000; // its starts are kept one by one
inline constexpr double rate_period_s_min = 0.001;
inline constexpr double rate_period_s_max = 366.0 * 86'400;
inline constexpr double constraint_wait_s_max = 30.0 * 86'400; // reserve_after, open_for, cooldown and the like
inline constexpr int share_keys_max = 1'000;
inline constexpr int constraint_windows_max = 64;      // allow and deny, each
inline constexpr int constraint_dates_max = 366;       // of one window
inline constexpr qint64 breaker_samples_max = 1'000'000;
inline constexpr double breaker_window_s_default = 60;
inline constexpr qint64 breaker_samples_default = 10;
inline constexpr double breaker_failure_rate_default = 0.5;
inline constexpr double breaker_open_s_default = 30;
inline constexpr double breaker_open_s_max_default = 600;
inline constexpr double cooldown_s_default = 3'600;
inline constexpr int fair_weight_max = 1'000;
inline constexpr int job_buckets_max = 64;             // a job with more is held, and its explanation says so

// --- MessagePack -------------------------------------------------------------------------------------------------------------
inline constexpr int msgpack_depth_max = 32;
inline constexpr int msgpack_elements_max = 65'536;

// --- Errors ------------------------------------------------------------------------------------------------------------------
inline constexpr int shown_bytes_max = 200;            // of the request's text that an error quotes
inline constexpr int reason_text_bytes_max = 500;       // of a text of others in a reason: of Redis, of the operating system

// --- Batches and pages -------------------------------------------------------------------------------------------------------
inline constexpr int enqueue_batch_max = 1'000;
inline constexpr int outcomes_batch_max = 1'000;
inline constexpr int heartbeats_batch_max = 1'000;
inline constexpr int claim_limit_max = 100;
inline constexpr int claim_names_max = 100;
inline constexpr double claim_wait_s_max = 60;
inline constexpr int page_rows_max = 500;
inline constexpr int page_rows_default = 50;
inline constexpr int page_lanes_max = 500;             // lanes from which one page of ready jobs is merged
inline constexpr int page_record_bytes_max = 8 * 1024; // of a job's record in a list; a list leaves out the arguments of longer ones
inline constexpr int page_bytes_max = 4 * 1024 * 1024; // of the records on a page with long arguments, without its last job
inline constexpr int page_scan_max = 20'000;           // jobs looked at for one page with a filter …
inline constexpr double page_scan_s_max = 2;           // … and for how long
inline constexpr int page_slice_ms = 10;               // a filter runs this long, then other work gets its turn
inline constexpr int names_page_max = 500;
inline constexpr int constraints_page_max = 100;       // each with a look at its buckets

// --- The calendar: windows and cron expressions -------------------------------------------------------------------------------
inline constexpr int windows_max = 16;                 // of one job
inline constexpr int time_zone_bytes_max = 64;
inline constexpr int cron_bytes_max = 200;
inline constexpr int calendar_years_max = 50;          // how far a next firing is looked for

// --- Recurring jobs ----------------------------------------------------------------------------------------------------------
inline constexpr int schedules_max = 10'000;           // in a namespace
inline constexpr double schedule_interval_s_min = 1;
inline constexpr double schedule_interval_s_max = 366.0 * 86'400;
inline constexpr double schedule_late_s = 60;          // a firing later than this counts as missed
inline constexpr int schedule_catch_up_max = 1'000;    // missed firings made up for by the policy `all`
inline constexpr int schedule_catch_up_default = 100;
inline constexpr int schedule_runs_kept_max = 20;      // last firings that a schedule shows
inline constexpr int schedule_next_runs = 5;           // shown of each schedule
inline constexpr int schedules_page_max = 500;
inline constexpr qint64 schedules_page_bytes_max = 4 * 1024 * 1024; // of definitions; a page that reaches it ends early
inline constexpr int schedules_due_max = 100;          // looked at in one script call
inline constexpr int schedule_jitter_ms = 10;          // spreads the masters, which would all ask in the millisecond of a firing

// --- Frozen views and operations ---------------------------------------------------------------------------------------------
inline constexpr int views_max = 32;                   // in a namespace; 16 bytes for each of their ids
inline constexpr int views_of_token_max = 8;           // of these, of one token; callers without one share theirs
inline constexpr qint64 view_ids_max = 2'000'000;      // of one view
inline constexpr double view_s = 10 * 60;              // how long a view lives, unless an operation uses it
inline constexpr int views_gathered_max = 4;            // made by one master at once that keep their ids in memory: up to 80 MB each
inline constexpr int view_chunk_ids = 50'000;          // in one Redis key
inline constexpr double view_wait_s = 5;               // how long POST /v1/views waits until the view has all its ids
inline constexpr int view_page_max = 500;              // rows
inline constexpr int export_patience_ms = 30'000;      // how long an export waits for Redis before it breaks off …
inline constexpr int export_try_ms = 500;              // … asking so long after the last answer
inline constexpr int selection_ids_max = 10'000;       // that a request names
inline constexpr int selection_told_ids_max = 10;      // of these, that a view and an operation say
inline constexpr int operations_max = 100;             // in a namespace; those that have ended are among them
inline constexpr int operation_slice_jobs = 100;       // acted on in one script call
inline constexpr double operation_rate_max = 10'000;   // jobs per second that can be asked for
inline constexpr double operation_kept_s = 24 * 3'600; // how long it is shown, and can be taken back, after its end
inline constexpr int operation_skipped_max = 10'000;   // jobs that it left as they were and lists; the others are only counted
inline constexpr double operation_lease_s = 3;         // after this long without a sign of its master another one goes on
inline constexpr int operation_pace_ms = 100;          // between two slices, where a rate bounds it
inline constexpr double operation_prepare_s_max = 50;  // how long a dry run may take
inline constexpr int operation_samples_max = 10;       // jobs that a dry run shows
inline constexpr int operation_limits_jobs = 1'000;    // jobs by which it says which limits they will meet

// --- Lanes and buckets (docs/decisions/claiming.md) ------------------------------------------------------------------------------
inline constexpr int lane_checks_max = 64;             // lanes whose buckets one script call checks
inline constexpr int buckets_looked_max = 64;          // buckets that may have opened, checked in one script call
inline constexpr qint64 stale_bytes_max = 1024 * 1024; // of the jobs to be read again in one reply, without the last one
inline constexpr int read_jobs_max = 100;              // jobs to be read again in one reply
inline constexpr int read_lanes_max = 32;              // lanes that these jobs may leave or enter in one script call
inline constexpr int stale_names_max = 1'000;          // names looked at in one script call
inline constexpr int bucket_key_bytes_max = 200;
inline constexpr int epochs_listed_max = 8;            // epochs whose lanes a list of ready jobs looks at
inline constexpr int paces_ms = 5000;                  // how long after a start a rate holds the jobs behind it, though it admits one
inline constexpr int charging_ms = 20;                 // how soon a limit on what runs is checked again while that is being charged
inline constexpr int epoch_tries_max = 5;              // of an enqueue while matchers are being changed
inline constexpr double bucket_idle_s_max = 3'600;     // how often a bucket without jobs is checked until it can be forgotten
inline constexpr double bucket_margin_s = 10;          // it is kept this much longer, in case the clock is set back
inline constexpr double breaker_kept_s = 24 * 3'600;   // how long an open breaker without jobs is kept after it may close
inline constexpr int bucket_costs_max = 64;            // different costs of waiting jobs that a bucket keeps; others are rounded up
inline constexpr double backlog_retry_s = 1;           // how long a pusher is asked to wait when the backlog is full
inline constexpr int backlog_dropped_max = 10;         // jobs that one new job may displace

// --- The audit log, looking for broken invariants (docs/semantics.md, "Invariants"), moving a namespace -------------------------
inline constexpr qint64 audit_entries_max = 100'000;   // about; the oldest are dropped first
inline constexpr int audit_text_bytes_max = 500;       // of each text of an entry; the reason that a caller gives may have as many
inline constexpr int audit_value_bytes_max = 4 * 1024; // of what there was before, and after; of a larger one only the size is kept
inline constexpr int audit_token_bytes_min = 20;       // a text that begins as a token does, and is as long, is covered
inline constexpr int audit_waiting_max = 1'000;        // entries that wait for Redis; the oldest are dropped first, and counted
inline constexpr int audit_again_ms = 1'000;           // how soon entries are sent again that Redis did not take
inline constexpr int audit_sync_ms = 1'000;            // how often the file is brought to the disk, when there is something new
inline constexpr int audit_scan_max = 10'000;          // entries looked at for one page with a filter
inline constexpr int audit_faults_max = 100;           // of a file, listed by one check
inline constexpr int fsck_violations_max = 1'000;      // listed by one run or answer; more are only counted
inline constexpr int fsck_calls_max = 200;             // script calls of one request; the caller continues with the cursor
inline constexpr int cursor_bytes_max = 200;           // of lists, and of retrying a group
inline constexpr int fsck_cursor_bytes_max = 256 * 1024;
inline constexpr int fsck_sums_max = 1'000;            // lanes, or buckets, whose sums one script call checks; it skips the others
inline constexpr int fsck_members_max = 10'000;        // members of one bucket that one script call adds up
inline constexpr int export_items_max = 1'000;         // elements of a key in one record of the file
inline constexpr int export_commands_max = 64;         // under way at once

// --- The layout of a namespace in Redis; a master refuses a newer one ---------------------------------------------------------
inline constexpr int layout_version = 2;           // 2: every final job has the time at which it is purged

// --- The Redis link ----------------------------------------------------------------------------------------------------------
inline constexpr int namespace_bytes_max = 64;
inline constexpr int engine_threads_max = 64;          // of one master
inline constexpr int script_items_max = 100;           // items in one script call; larger batches are split
inline constexpr qint64 script_bytes_max = 8 * 1024 * 1024;
inline constexpr int commands_in_flight_max = 1'024;
inline constexpr int calls_in_flight_max = 2;          // script calls per verb; requests that come meanwhile make the next batch
inline constexpr int items_waiting_max = 100'000;      // per verb, waiting for their script call; more: 503
inline constexpr qint64 bytes_waiting_max = 256 * 1024 * 1024;
inline constexpr int command_deadline_ms = 5'000;
inline constexpr int connect_deadline_ms = 3'000;
inline constexpr int reconnect_ms_min = 50;
inline constexpr int reconnect_ms_max = 2'000;
inline constexpr int away_ms_max = 2'000;              // when Redis is away for longer, requests get 503 at once
inline constexpr int sweep_ms = 1'000;                 // longest time between two sweeps of a master
inline constexpr int sweep_ms_min = 5;                 // shortest one, unless a sweep had more to do than one call may
inline constexpr int sweep_jitter_ms = 100;            // spreads the sweeps of several masters
inline constexpr int result_looks_max = 100;           // results that are waited for, looked up again in one tick
inline constexpr int rate_window_s = 10;               // the overview's rates are means over this time
inline constexpr int durability_wait_ms = 1'000;       // for replicas, or for the disk
inline constexpr int durability_ms_max = 5'000;        // the same, with the commands before and after it
inline constexpr int durability_replicas = 1;          // replicas that must have a job for `replicated`, at least
inline constexpr int replica_lag_s = 10;               // a replica that is silent for longer is not waited for
inline constexpr int replica_gone_ms = 30'000;         // how long a replica that left still counts: it may be the new primary
inline constexpr int durability_jobs_max = 500;        // checked together
inline constexpr int nonce_kept_s = 60;
inline constexpr double library_kept_s = 24 * 3'600;    // a library of another version, after a master noted last that it uses it
inline constexpr int engine_seen_s = 15;               // an engine without a sweep for this long counts as gone
inline constexpr qint64 reply_bytes_max = 64 * 1024 * 1024;

// --- HTTP (docs/http.md, "Connections") -------------------------------------------------------------------------------------
inline constexpr int http_head_bytes_max = 16 * 1024;
inline constexpr int http_target_bytes_max = 4 * 1024;
inline constexpr int http_fields_max = 64;
inline constexpr qint64 http_body_bytes_max = 1024 * 1024;
inline constexpr qint64 http_batch_body_bytes_max = 8 * 1024 * 1024;
inline constexpr int http_chunk_line_bytes_max = 4 * 1024; // of a chunk's size line, and of all trailers
inline constexpr int http_handshake_deadline_ms = 5'000;
inline constexpr int http_head_deadline_ms = 5'000;
inline constexpr int http_body_deadline_ms = 15'000;   // a longer body must come at http_body_rate_min at least
inline constexpr int http_body_rate_min = 1'024;       // bytes per second
inline constexpr int http_idle_deadline_ms = 75'000;
inline constexpr int http_write_deadline_ms = 30'000;
inline constexpr int http_answer_deadline_ms = 70'000; // when a handler has not answered by then: 504
inline constexpr int http_connections_max = 10'000;
inline constexpr int http_connections_per_peer_max = 500; // does not apply to loopback
inline constexpr int http_descriptors_spare = 64;      // descriptors of the process that connections may not use
inline constexpr int http_retry_after_s = 1;           // sent with 503 when there are too many connections
inline constexpr int http_linger_ms = 2'000;           // how long a closing connection still reads, so that its peer gets the answer
inline constexpr int http_release_ms = 1'000;          // a connection idle for this long frees its buffers
inline constexpr int http_tick_ms = 250;               // how often deadlines are checked
inline constexpr int http_accept_pause_ms = 1'000;     // after a failed accept
inline constexpr int http_pipelined_max = 16;          // requests served of one connection before the others get their turn
inline constexpr int http_read_ahead_bytes_max = 64 * 1024;
inline constexpr int http_listen_backlog = 4'096;
inline constexpr int drain_ms_max = 10'000;            // how long a stopping master waits for answers under way

// --- WebSockets (docs/decisions/live.md) --------------------------------------------------------------------------------------
inline constexpr int socket_connections_max = 2'000;   // of all connections of a master
inline constexpr int socket_message_bytes_max = 1'024; // of a client's message; also of its control frames, which have 125
inline constexpr int socket_slice_bytes = 4 * 1024;    // read before what that leads to is written
inline constexpr int socket_unsent_bytes_max = 64 * 1024; // with more unsent, nothing is told and nothing is read until it has left
inline constexpr int socket_ping_ms = 25'000;          // how often a client is asked whether it is there …
inline constexpr int socket_pong_deadline_ms = 25'000; // … and how long it has to answer
inline constexpr int socket_close_deadline_ms = 2'000; // how long it has to answer a close
inline constexpr int socket_reason_bytes_max = 123;    // of a close (RFC 6455 §5.5)

// --- Who may call (docs/decisions/access.md) ------------------------------------------------------------------------------------
inline constexpr int tokens_max = 1'000;               // in a namespace
inline constexpr int token_note_bytes_max = 200;
inline constexpr int token_names_max = 16;             // patterns of names
inline constexpr int token_match_bytes_max = 1'024;
inline constexpr int pepper_bytes_min = 32;
inline constexpr int pepper_bytes_max = 4'096;
inline constexpr int tokens_look_ms = 1'000;           // how often a master asks whether they were changed
inline constexpr double token_used_s = 60;             // how exactly it is told when one was used last
inline constexpr int failed_logins_max = 10;           // of an address …
inline constexpr int failed_logins_s = 60;             // … in so long; then 429
inline constexpr int failed_addresses_max = 10'000;    // told apart

// --- Workers (docs/decisions/workers.md) ------------------------------------------------------------------------------------------
inline constexpr int workers_max = 10'000;             // known in a namespace; further ones are not listed
inline constexpr double worker_kept_s = 24 * 3'600;    // how long one that is gone is listed
inline constexpr double worker_lost_s = 90;            // without a word, and without a job whose lease holds
inline constexpr int worker_runs_kept = 64;            // durations from which p50 and p95 are taken
inline constexpr int worker_jobs_shown = 20;           // running jobs listed of each
inline constexpr int worker_labels_max = 16;
inline constexpr int worker_version_bytes_max = 200;
inline constexpr int workers_running_max = 5'000;      // running jobs that one list of workers counts
inline constexpr int workers_look_ms = 1'000;          // how often a master writes what it heard, and asks what was changed
inline constexpr int steered_workers_max = 1'000;      // registered or draining, in a namespace
inline constexpr int worker_slots_max = 256;
inline constexpr int worker_url_bytes_max = 1'000;
inline constexpr int worker_secret_bytes_min = 16;
inline constexpr int worker_secret_bytes_max = 200;
inline constexpr int worker_networks_max = 64;         // that a master may call
inline constexpr int worker_connect_deadline_ms = 3'000;
inline constexpr int worker_next_address_ms = 250;     // then the next of its addresses is tried, too
inline constexpr int worker_addresses_max = 8;         // that are tried
inline constexpr int worker_health_deadline_ms = 3'000;
inline constexpr int worker_health_ms = 10'000;        // how often one is asked how it is
inline constexpr int worker_beat_ms = 1'000;           // how often the leases of calls under way are renewed
inline constexpr int worker_backoff_ms_min = 200;
inline constexpr int worker_backoff_ms_max = 10'000;
inline constexpr int worker_head_bytes_max = 16 * 1024;
inline constexpr qint64 worker_answer_bytes_max = 2 * 1024 * 1024;

// --- The client of the API -----------------------------------------------------------------------------------------------------
inline constexpr int client_deadline_ms = 10'000;      // for an answer, besides the time that the call asks the master to wait
inline constexpr qint64 client_answer_bytes_max = 64 * 1024 * 1024;

static_assert(http_idle_deadline_ms > claim_wait_s_max * 1000, "an idle deadline must outlive the longest wait");
static_assert(http_answer_deadline_ms > claim_wait_s_max * 1000, "the watchdog must outlive the longest wait");
static_assert(http_answer_deadline_ms > result_wait_s_max * 1000);
static_assert(http_answer_deadline_ms > changes_wait_s_max * 1000);
static_assert(http_answer_deadline_ms > 2 * export_patience_ms);
static_assert(argument_bytes_max <= http_body_bytes_max);
static_assert(http_body_bytes_max <= http_batch_body_bytes_max);
static_assert(argument_bytes_max <= argument_bytes_hard_max);
static_assert(claim_limit_max <= script_items_max);
static_assert(backoff_max_s_default <= backoff_max_s_max);
static_assert(result_ttl_s_default <= result_ttl_s_max);
static_assert(timeout_s_default >= timeout_s_min && timeout_s_default <= timeout_s_max);
// Times are stored as doubles in sorted sets: milliseconds stay exact far beyond any bound here.
static_assert(delay_s_max * 1000 < 9'007'199'254'740'992.0 / 2);

} // namespace junban::limits
