#pragma once

#include <QtGlobal>
#include <limits>

// Every bound and every default of the product, in one place; openapi/master.yaml repeats those a client can meet and a test
// compares the two. Units are the last part of a name. Where a number comes from a specification or a measurement, it says so.
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
inline constexpr int window_boundaries_kept = 16;      // the next openings and closings of a job that Redis knows
inline constexpr int window_wait_ms = 1'000;           // how long a job waits for a master to tell its next windows
inline constexpr int window_ahead_ms = 60'000;         // how long before a job needs them a master is asked
inline constexpr int depends_on_max = 100;
inline constexpr int then_max = 16;
inline constexpr int then_depth_max = 4;               // jobs after jobs after …
inline constexpr double expires_in_s_min = 1;
inline constexpr double expires_in_s_max = 366.0 * 86'400;
inline constexpr double group_kept_s = 30.0 * 86'400;  // after its last job ended
inline constexpr double handoff_s_min = 1;
inline constexpr double handoff_s_max = 30.0 * 86'400;
inline constexpr int history_argument_bytes_max = 4 * 1024; // an edited job's history keeps an argument up to this size
inline constexpr int edit_tries_max = 5;               // of an edit whose job changes meanwhile

// --- Reports ---------------------------------------------------------------------------------------------------------------
inline constexpr qint64 result_bytes_max = 1024 * 1024;
inline constexpr qint64 error_bytes_max = 64 * 1024;   // larger: replaced by {truncated: true, size}
inline constexpr qint64 message_bytes_max = 8 * 1024;  // longer: cut at a character and marked
inline constexpr int finished_at_bytes_max = 64;
inline constexpr double lease_s_min = 1;
inline constexpr double progress_max = 1e15;
inline constexpr int releases_max = 20;                // then a release counts as a failure (transition 7, `release`)
inline constexpr int poison_expiries = 3;              // silent lost leases in a row (transition 11, `expire-lease`)
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
inline constexpr int retention_names_max = 1'000;      // names with settings of their own
inline constexpr int tracked_max = 1'000;
inline constexpr double tracked_put_off_s = 24 * 3'600; // a tracked job's purge is looked at again after so long
inline constexpr double trash_s = 24 * 3'600;          // a deleted job can be restored for so long
inline constexpr double idempotency_s = 24 * 3'600;
inline constexpr qint64 idempotency_keys_max = 1'000'000;

// --- Statistics, series, failures ------------------------------------------------------------------------------------------
inline constexpr int stats_days_max = 90;
inline constexpr qint64 stats_rows_max = 100'000;      // of one name and day each, 1 KiB; the oldest go first
inline constexpr int series_days_max = 8;
inline constexpr int series_seconds_max = 600;         // kept by the second
inline constexpr int failure_groups_max = 10'000;
inline constexpr double failure_groups_s = 30.0 * 86'400; // after its last failure a group is forgotten
inline constexpr int failure_workers_max = 50;         // counted one by one in a group
inline constexpr int failure_title_chars_max = 200;    // of a normalised message
inline constexpr int failure_retry_max = 1'000;        // jobs of a group that one request runs again

// --- Matchers (docs/matchers.md, "Bounds") -----------------------------------------------------------------------------------
inline constexpr int matcher_text_bytes_max = 4 * 1024;
inline constexpr int matcher_nodes_max = 256;
inline constexpr int matcher_depth_max = 64;
inline constexpr int matcher_problems_max = 20;        // told of one expression
inline constexpr int matcher_steps_max = 50'000;       // of one evaluation; some milliseconds
inline constexpr int matcher_memory_bytes_max = 1024 * 1024; // of one evaluation, for strings, lists and maps it makes
inline constexpr int matcher_pattern_bytes_max = 1'024; // of a regular expression that is no literal
inline constexpr int matcher_pattern_memory_bytes_max = 1024 * 1024; // of a compiled regular expression
inline constexpr int matcher_pattern_size_max = 2'000; // its instructions
inline constexpr int matcher_names_max = 256;          // names and prefixes told apart; more: any name
inline constexpr int matchers_max = 10'000;
inline constexpr int matcher_id_bytes_max = 64;
inline constexpr int matcher_title_bytes_max = 200;
inline constexpr int matcher_note_bytes_max = 4 * 1024;
inline constexpr int matcher_rank_max = 1'000'000;     // and as much below zero
inline constexpr int matcher_exempts_max = 64;
inline constexpr int matcher_revisions_max = 100;      // kept of each
inline constexpr double matcher_history_s = 30.0 * 86'400; // of a deleted one
inline constexpr int matcher_save_tries_max = 5;       // of a save while others are being saved
inline constexpr int tie_jobs_max = 4'096;             // tried to find one that two matchers match
inline constexpr qint64 tie_steps_max = 4'000'000;     // of all that for one save
inline constexpr int matchers_page_max = 100;
inline constexpr int matcher_names_shown_max = 20;     // of the names it can match
inline constexpr double preview_s_max = 1;             // jobs are looked at for so long
inline constexpr int preview_samples_max = 10;
inline constexpr int preview_keys_max = 10;            // of each constraint, those with most jobs
inline constexpr int preview_distinct_max = 10'000;    // keys told apart
inline constexpr double preview_replay_s = 15 * 60;    // starts that are run again
inline constexpr int preview_starts_max = 20'000;
inline constexpr int preview_terms_max = 64;           // of an expression that is tried on one job
inline constexpr int preview_reads_max = 4;            // values shown of each
inline constexpr int preview_read_bytes_max = 100;
inline constexpr int preview_steps_max = 2 * matcher_steps_max; // then no further term is begun
inline constexpr int reread_ms = 1'000;                // a master looks so often for jobs that the matchers have not read
inline constexpr int held_buckets_max = 1'000;         // looked at for one answer
inline constexpr int asked_names_max = 2'000;          // names that an engine's workers ask for: so many are known to explanations,
inline constexpr double asked_kept_s = 7 * 86'400;     // for so long after they were last asked for
inline constexpr double asked_lately_s = 60;           // who asked within this time has workers, though none waits at the moment
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
inline constexpr int job_buckets_max = 64;             // a job that matches more is held, with a gate that says so

// --- MessagePack -------------------------------------------------------------------------------------------------------------
inline constexpr int msgpack_depth_max = 32;
inline constexpr int msgpack_elements_max = 65'536;

// --- Errors ------------------------------------------------------------------------------------------------------------------
inline constexpr int shown_bytes_max = 200;            // of a request's own text that an error repeats

// --- Batches and pages -------------------------------------------------------------------------------------------------------
inline constexpr int enqueue_batch_max = 1'000;
inline constexpr int outcomes_batch_max = 1'000;
inline constexpr int heartbeats_batch_max = 1'000;
inline constexpr int claim_limit_max = 100;
inline constexpr int claim_names_max = 100;
inline constexpr double claim_wait_s_max = 60;
inline constexpr int page_rows_max = 500;
inline constexpr int page_rows_default = 50;
inline constexpr int page_lanes_max = 500;             // lanes that one page of ready jobs is merged from
inline constexpr int page_record_bytes_max = 8 * 1024; // of a job's record in a list; longer arguments are left out there
inline constexpr int page_bytes_max = 4 * 1024 * 1024; // of records on a page with long arguments, the last job's apart
inline constexpr int page_scan_max = 20'000;           // jobs looked at for one page with a filter …
inline constexpr double page_scan_s_max = 2;           // … and for how long
inline constexpr int page_slice_ms = 10;               // an expression is asked of jobs for so long before others have their turn
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
inline constexpr int schedule_runs_kept_max = 20;      // firings remembered of each schedule
inline constexpr int schedule_next_runs = 5;           // shown of each schedule
inline constexpr int schedules_page_max = 500;
inline constexpr qint64 schedules_page_bytes_max = 4 * 1024 * 1024; // of definitions in a page; then it ends early
inline constexpr int schedules_due_max = 100;          // looked at in one script call
inline constexpr int schedule_jitter_ms = 10;          // several masters do not ask in the very millisecond of a firing

// --- Lanes and buckets (docs/decisions/claiming.md) ------------------------------------------------------------------------------
inline constexpr int lane_checks_max = 64;             // lanes whose buckets one script call asks
inline constexpr int buckets_looked_max = 64;          // buckets that may have opened, looked at in one script call
inline constexpr qint64 stale_bytes_max = 1024 * 1024; // of jobs that the matchers must read again, in one reply; the last one's apart
inline constexpr int read_jobs_max = 100;              // of them, in one reply
inline constexpr int read_lanes_max = 32;              // whose jobs these are, and where they may go, in one script call
inline constexpr int stale_names_max = 1'000;        // names looked at in one script call
inline constexpr int bucket_key_bytes_max = 200;
inline constexpr int epochs_listed_max = 8;           // a list of ready jobs knows the lanes of so many
inline constexpr int epoch_tries_max = 5;              // of an enqueue while matchers are being changed
inline constexpr double bucket_idle_s_max = 3'600;     // a bucket without jobs is looked at so often until it can be forgotten
inline constexpr double bucket_margin_s = 10;          // and remembered so much longer, should the clock be set back
inline constexpr double breaker_kept_s = 24 * 3'600;   // an open breaker without jobs is remembered so long after it may close
inline constexpr int bucket_costs_max = 64;            // costs a bucket tells apart among those who wait; more are rounded up
inline constexpr double backlog_retry_s = 1;           // how long a pusher is asked to wait whose backlog is full
inline constexpr int backlog_dropped_max = 10;         // jobs that one new job may displace

// --- Looking for broken invariants (docs/semantics.md, "Invariants"), and moving a namespace ------------------------------------
inline constexpr qint64 audit_entries_max = 100'000;   // about; the oldest go first
inline constexpr int fsck_violations_max = 1'000;      // told of one run or answer; more are only counted
inline constexpr int fsck_calls_max = 200;             // script calls of one request; then the caller goes on with the cursor
inline constexpr int fsck_cursor_bytes_max = 256 * 1024;
inline constexpr int fsck_sums_max = 1'000;            // lanes, or buckets, that one script call adds up; more are not added up
inline constexpr int fsck_members_max = 10'000;        // members of one bucket that one script call adds up
inline constexpr int export_items_max = 1'000;         // of a key's elements in one record of the file
inline constexpr int export_commands_max = 64;         // under way at once

// --- The layout of a namespace in Redis; a master refuses a newer one ---------------------------------------------------------
inline constexpr int layout_version = 2;           // 2: every final job has a time to be purged at

// --- The Redis link ----------------------------------------------------------------------------------------------------------
inline constexpr int script_items_max = 100;           // items in one script call; larger batches are split
inline constexpr qint64 script_bytes_max = 8 * 1024 * 1024;
inline constexpr int commands_in_flight_max = 1'024;
inline constexpr int calls_in_flight_max = 2;          // script calls per verb: what comes meanwhile makes the next batch
inline constexpr int items_waiting_max = 100'000;      // per verb, for their script call; more: 503
inline constexpr qint64 bytes_waiting_max = 256 * 1024 * 1024;
inline constexpr int command_deadline_ms = 5'000;
inline constexpr int connect_deadline_ms = 3'000;
inline constexpr int reconnect_ms_min = 50;
inline constexpr int reconnect_ms_max = 2'000;
inline constexpr int away_ms_max = 2'000;              // Redis away for longer: 503 at once
inline constexpr int sweep_ms = 1'000;                 // a master looks for due work at least so often
inline constexpr int sweep_ms_min = 5;                 // and no more often, unless a bound was met
inline constexpr int sweep_jitter_ms = 100;            // several masters do not look at the same moment
inline constexpr int result_looks_max = 100;           // waiting results looked at again in one tick
inline constexpr int rate_window_s = 10;               // the overview's rates are means over so long
inline constexpr int durability_wait_ms = 1'000;       // for replicas, or for the disk
inline constexpr int durability_ms_max = 5'000;        // with all there is around it
inline constexpr int durability_replicas = 1;          // that must have a job for `replicated`, at least
inline constexpr int replica_lag_s = 10;               // one silent for so long is not waited for
inline constexpr int replica_gone_ms = 30'000;         // one that left is missed for so long: perhaps it has just taken over
inline constexpr int durability_jobs_max = 500;        // looked after in one go
inline constexpr int nonce_kept_s = 60;
inline constexpr int engine_seen_s = 15;               // an engine that has not swept for so long is no longer told of changes
inline constexpr qint64 reply_bytes_max = 64 * 1024 * 1024;

// --- HTTP (docs/clients.md, "Connections") -------------------------------------------------------------------------------------
inline constexpr int http_head_bytes_max = 16 * 1024;
inline constexpr int http_target_bytes_max = 4 * 1024;
inline constexpr int http_fields_max = 64;
inline constexpr qint64 http_body_bytes_max = 1024 * 1024;
inline constexpr qint64 http_batch_body_bytes_max = 8 * 1024 * 1024;
inline constexpr int http_chunk_line_bytes_max = 4 * 1024; // of a chunk's size line, and of all trailers
inline constexpr int http_handshake_deadline_ms = 5'000;
inline constexpr int http_head_deadline_ms = 5'000;
inline constexpr int http_body_deadline_ms = 15'000;   // and then at least http_body_rate_min
inline constexpr int http_body_rate_min = 1'024;       // bytes per second
inline constexpr int http_idle_deadline_ms = 75'000;
inline constexpr int http_write_deadline_ms = 30'000;
inline constexpr int http_answer_deadline_ms = 70'000; // a handler that has not answered by then: 504
inline constexpr int http_connections_max = 10'000;
inline constexpr int http_connections_per_peer_max = 500; // none on loopback
inline constexpr int http_descriptors_spare = 64;      // the last descriptors of the process are not for connections
inline constexpr int http_retry_after_s = 1;           // said with 503 when there are too many connections
inline constexpr int http_linger_ms = 2'000;           // a closing connection still reads so long, so that its answer is read
inline constexpr int http_release_ms = 1'000;          // a connection idle for so long gives its buffers back
inline constexpr int http_tick_ms = 250;               // how often deadlines are looked at
inline constexpr int http_accept_pause_ms = 1'000;     // after accepting failed
inline constexpr int http_pipelined_max = 16;          // served of one connection before the others get their turn
inline constexpr int http_read_ahead_bytes_max = 64 * 1024;
inline constexpr int http_listen_backlog = 4'096;
inline constexpr int drain_ms_max = 10'000;            // a stop waits so long for answers under way

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

// --- The client of the API -----------------------------------------------------------------------------------------------------
inline constexpr int client_deadline_ms = 10'000;      // for an answer, on top of what the call itself waits for
inline constexpr qint64 client_answer_bytes_max = 64 * 1024 * 1024;
inline constexpr int client_message_bytes_max = 1'000; // of what an error shows of an answer that is no problem document

static_assert(http_idle_deadline_ms > claim_wait_s_max * 1000, "an idle deadline must outlive the longest wait");
static_assert(http_answer_deadline_ms > claim_wait_s_max * 1000, "the watchdog must outlive the longest wait");
static_assert(http_answer_deadline_ms > result_wait_s_max * 1000);
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
