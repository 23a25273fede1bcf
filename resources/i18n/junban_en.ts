<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
    <context>
        <name>ArgumentPaths</name>
        <message numerus="yes">
            <source>%Ln job(s), %1</source>
            <translation>
                <numerusform>%Ln job, %1</numerusform>
                <numerusform>%Ln jobs, %1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ConstraintTexts</name>
        <message numerus="yes">
            <source>%Ln exception(s)</source>
            <translation>
                <numerusform>%Ln exception</numerusform>
                <numerusform>%Ln exceptions</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) are held</source>
            <translation>
                <numerusform>%Ln job is held</numerusform>
                <numerusform>%Ln jobs are held</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 by %2 and %Ln more limit(s)</source>
            <comment>jobs are held, a JobMatcher</comment>
            <translation>
                <numerusform>%1 by %2 and %Ln more limit</numerusform>
                <numerusform>%1 by %2 and %Ln more limits</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>At least %Ln job(s) are held</source>
            <translation>
                <numerusform>At least %Ln job is held</numerusform>
                <numerusform>At least %Ln jobs are held</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Operation</name>
        <message numerus="yes">
            <source>Retry %Ln job(s)?</source>
            <translation>
                <numerusform>Retry %Ln job?</numerusform>
                <numerusform>Retry %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)?</source>
            <translation>
                <numerusform>Cancel %Ln job?</numerusform>
                <numerusform>Cancel %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln job(s)?</source>
            <translation>
                <numerusform>Delete %Ln job?</numerusform>
                <numerusform>Delete %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln job(s)?</source>
            <translation>
                <numerusform>Restore %Ln job?</numerusform>
                <numerusform>Restore %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Change %Ln job(s)?</source>
            <translation>
                <numerusform>Change %Ln job?</numerusform>
                <numerusform>Change %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Retry %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Retry %Ln job</numerusform>
                <numerusform>Retry %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Cancel %Ln job</numerusform>
                <numerusform>Cancel %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Delete %Ln job</numerusform>
                <numerusform>Delete %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Restore %Ln job</numerusform>
                <numerusform>Restore %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Change %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Change %Ln job</numerusform>
                <numerusform>Change %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) deleted</source>
            <translation>
                <numerusform>%Ln job deleted</numerusform>
                <numerusform>%Ln jobs deleted</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) restored</source>
            <translation>
                <numerusform>%Ln job restored</numerusform>
                <numerusform>%Ln jobs restored</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) changed</source>
            <translation>
                <numerusform>%Ln job changed</numerusform>
                <numerusform>%Ln jobs changed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 %Ln job(s)</source>
            <comment>an action</comment>
            <translation>
                <numerusform>%1 %Ln job</numerusform>
                <numerusform>%1 %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) were not reached</source>
            <translation>
                <numerusform>%Ln job was not reached</numerusform>
                <numerusform>%Ln jobs were not reached</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) cancelled or, if they ran, asked to stop</source>
            <translation>
                <numerusform>%Ln job cancelled or, if it ran, asked to stop</numerusform>
                <numerusform>%Ln jobs cancelled or, if they ran, asked to stop</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) cancelled before they started</source>
            <translation>
                <numerusform>%Ln job cancelled before it started</numerusform>
                <numerusform>%Ln jobs cancelled before they started</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) retried</source>
            <translation>
                <numerusform>%Ln job retried</numerusform>
                <numerusform>%Ln jobs retried</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Requeue %Ln job(s)?</source>
            <translation>
                <numerusform>Requeue %Ln job?</numerusform>
                <numerusform>Requeue %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Requeue %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Requeue %Ln job</numerusform>
                <numerusform>Requeue %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) requeued</source>
            <translation>
                <numerusform>%Ln job requeued</numerusform>
                <numerusform>%Ln jobs requeued</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 and %Ln other(s)</source>
            <comment>a job</comment>
            <translation>
                <numerusform>%1 and %Ln other</numerusform>
                <numerusform>%1 and %Ln others</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>OverviewBars</name>
        <message numerus="yes">
            <source>%1 and %Ln more name(s)</source>
            <translation>
                <numerusform>%1 and %Ln more name</numerusform>
                <numerusform>%1 and %Ln more names</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Priority %1: %Ln ready job(s)</source>
            <translation>
                <numerusform>Priority %1: %Ln ready job</numerusform>
                <numerusform>Priority %1: %Ln ready jobs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Schedules</name>
        <message numerus="yes">
            <source>%1; %Ln run(s) before it were missed</source>
            <translation>
                <numerusform>%1; %Ln run before it was missed</numerusform>
                <numerusform>%1; %Ln runs before it were missed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %Ln day(s)</source>
            <translation>
                <numerusform>every %Ln day</numerusform>
                <numerusform>every %Ln days</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %Ln hour(s)</source>
            <translation>
                <numerusform>every %Ln hour</numerusform>
                <numerusform>every %Ln hours</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %Ln minute(s)</source>
            <translation>
                <numerusform>every %Ln minute</numerusform>
                <numerusform>every %Ln minutes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %Ln second(s)</source>
            <translation>
                <numerusform>every %Ln second</numerusform>
                <numerusform>every %Ln seconds</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>StateItems</name>
        <message numerus="yes">
            <source>%Ln more pause(s)</source>
            <translation>
                <numerusform>%Ln more pause</numerusform>
                <numerusform>%Ln more pauses</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln breakers have tripped: %1</source>
            <translation>
                <numerusform>%Ln breaker has tripped: %1</numerusform>
                <numerusform>%Ln breakers have tripped: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln ready job(s)</source>
            <translation>
                <numerusform>%Ln ready job</numerusform>
                <numerusform>%Ln ready jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 and %Ln more name(s)</source>
            <translation>
                <numerusform>%1 and %Ln more name</numerusform>
                <numerusform>%1 and %Ln more names</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln backlogs are full: %1</source>
            <translation>
                <numerusform>%Ln backlog is full: %1</numerusform>
                <numerusform>%Ln backlogs are full: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln stored record(s) cannot be read any more: %1</source>
            <translation>
                <numerusform>%Ln stored record cannot be read any more: %1</numerusform>
                <numerusform>%Ln stored records cannot be read any more: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Rechecking %Ln ready job(s) after the last change</source>
            <translation>
                <numerusform>Rechecking %Ln ready job after the last change</numerusform>
                <numerusform>Rechecking %Ln ready jobs after the last change</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) lost</source>
            <translation>
                <numerusform>%Ln worker lost</numerusform>
                <numerusform>%Ln workers lost</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::AuditLogPage</name>
        <message numerus="yes">
            <source>%Ln entries</source>
            <translation>
                <numerusform>%Ln entry</numerusform>
                <numerusform>%Ln entries</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln newer, F5 shows them</source>
            <translation>
                <numerusform>%Ln newer, F5 shows it</numerusform>
                <numerusform>%Ln newer, F5 shows them</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::BucketsView</name>
        <message numerus="yes">
            <source>%Ln bucket(s); there are more</source>
            <translation>
                <numerusform>%Ln bucket; there are more</numerusform>
                <numerusform>%Ln buckets; there are more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Tripped for %Ln key(s)</source>
            <translation>
                <numerusform>Tripped for %Ln key</numerusform>
                <numerusform>Tripped for %Ln keys</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Reset for %Ln key(s)</source>
            <translation>
                <numerusform>Reset for %Ln key</numerusform>
                <numerusform>Reset for %Ln keys</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::BulkWork</name>
        <message numerus="yes">
            <source>%Ln more operation(s) under way</source>
            <translation>
                <numerusform>%Ln more operation under way</numerusform>
                <numerusform>%Ln more operations under way</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ConstraintsPage</name>
        <message numerus="yes">
            <source>Rechecking %Ln ready job(s) after the last change</source>
            <translation>
                <numerusform>Rechecking %Ln ready job after the last change</numerusform>
                <numerusform>Rechecking %Ln ready jobs after the last change</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The first %Ln JobMatcher(s)</source>
            <translation>
                <numerusform>The first %Ln JobMatcher</numerusform>
                <numerusform>The first %Ln JobMatchers</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ExplainView</name>
        <message numerus="yes">
            <source>%Ln waiting</source>
            <translation>
                <numerusform>%Ln waiting</numerusform>
                <numerusform>%Ln waiting</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) are waiting for jobs of this name.</source>
            <translation>
                <numerusform>%Ln worker is waiting for jobs of this name.</numerusform>
                <numerusform>%Ln workers are waiting for jobs of this name.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>No limit holds it, but %Ln job(s) like it come before it.</source>
            <translation>
                <numerusform>No limit holds it, but %Ln job like it comes before it.</numerusform>
                <numerusform>No limit holds it, but %Ln jobs like it come before it.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln ready job(s) of a higher priority come first, for workers that accept their names, too.</source>
            <translation>
                <numerusform>%Ln ready job of a higher priority comes first, for workers that accept its name, too.</numerusform>
                <numerusform>%Ln ready jobs of a higher priority come first, for workers that accept their names, too.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>No worker asks for %Ln ready job(s), which may be among these.</source>
            <translation>
                <numerusform>No worker asks for %Ln ready job, which may be among these.</numerusform>
                <numerusform>No worker asks for %Ln ready jobs, which may be among these.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln similar job(s) ahead</source>
            <translation>
                <numerusform>%Ln similar job ahead</numerusform>
                <numerusform>%Ln similar jobs ahead</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::FailuresPage</name>
        <message numerus="yes">
            <source>%Ln group(s)</source>
            <translation>
                <numerusform>%Ln group</numerusform>
                <numerusform>%Ln groups</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The latest %Ln group(s)</source>
            <translation>
                <numerusform>The latest %Ln group</numerusform>
                <numerusform>The latest %Ln groups</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln failure(s)</source>
            <translation>
                <numerusform>%Ln failure</numerusform>
                <numerusform>%Ln failures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln causes are selected</source>
            <translation>
                <numerusform>%Ln cause is selected</numerusform>
                <numerusform>%Ln causes are selected</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>and %Ln more cause(s)</source>
            <translation>
                <numerusform>and %Ln more cause</numerusform>
                <numerusform>and %Ln more causes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln cause(s) without failed jobs now</source>
            <translation>
                <numerusform>%Ln cause without failed jobs now</numerusform>
                <numerusform>%Ln causes without failed jobs now</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobActions</name>
        <message numerus="yes">
            <source>Retry %Ln job(s)?</source>
            <translation>
                <numerusform>Retry %Ln job?</numerusform>
                <numerusform>Retry %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Retry %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>Retry %Ln</numerusform>
                <numerusform>Retry %Ln</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)?</source>
            <translation>
                <numerusform>Cancel %Ln job?</numerusform>
                <numerusform>Cancel %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Cancel %Ln job</numerusform>
                <numerusform>Cancel %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Take %Ln running job(s) from their workers?</source>
            <translation>
                <numerusform>Take %Ln running job from its worker?</numerusform>
                <numerusform>Take %Ln running jobs from their workers?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Force %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>Force %Ln</numerusform>
                <numerusform>Force %Ln</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) will run again</source>
            <translation>
                <numerusform>%Ln job will run again</numerusform>
                <numerusform>%Ln jobs will run again</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) will be told to cancel it</source>
            <translation>
                <numerusform>%Ln worker will be told to cancel it</numerusform>
                <numerusform>%Ln workers will be told to cancel it</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) cancelled</source>
            <translation>
                <numerusform>%Ln job cancelled</numerusform>
                <numerusform>%Ln jobs cancelled</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) taken from their workers</source>
            <translation>
                <numerusform>%Ln job taken from its worker</numerusform>
                <numerusform>%Ln jobs taken from their workers</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln job(s)?</source>
            <translation>
                <numerusform>Delete %Ln job?</numerusform>
                <numerusform>Delete %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>Delete %Ln</numerusform>
                <numerusform>Delete %Ln</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln job(s)?</source>
            <translation>
                <numerusform>Restore %Ln job?</numerusform>
                <numerusform>Restore %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>Restore %Ln</numerusform>
                <numerusform>Restore %Ln</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) deleted</source>
            <translation>
                <numerusform>%Ln job deleted</numerusform>
                <numerusform>%Ln jobs deleted</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) restored</source>
            <translation>
                <numerusform>%Ln job restored</numerusform>
                <numerusform>%Ln jobs restored</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) starred</source>
            <translation>
                <numerusform>%Ln job starred</numerusform>
                <numerusform>%Ln jobs starred</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) without a star</source>
            <translation>
                <numerusform>%Ln job without a star</numerusform>
                <numerusform>%Ln jobs without a star</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 has run %Ln time(s).</source>
            <comment>a job's name</comment>
            <translation>
                <numerusform>%1 has run %Ln time.</numerusform>
                <numerusform>%1 has run %Ln times.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobFields</name>
        <message numerus="yes">
            <source>%Ln job(s)</source>
            <comment>of a group</comment>
            <translation>
                <numerusform>%Ln job</numerusform>
                <numerusform>%Ln jobs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobsPage</name>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln row</numerusform>
                <numerusform>%Ln rows</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s) are selected</source>
            <translation>
                <numerusform>%Ln row is selected</numerusform>
                <numerusform>%Ln rows are selected</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) match in other states.</source>
            <translation>
                <numerusform>%Ln job matches in other states.</numerusform>
                <numerusform>%Ln jobs match in other states.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::MainWindow</name>
        <message numerus="yes">
            <source>Stop the master? %Ln job(s) are running.</source>
            <translation>
                <numerusform>Stop the master? %Ln job is running.</numerusform>
                <numerusform>Stop the master? %Ln jobs are running.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>At %1 Redis came back without %Ln or more confirmed change(s).</source>
            <translation>
                <numerusform>At %1 Redis came back without %Ln or more confirmed change.</numerusform>
                <numerusform>At %1 Redis came back without %Ln or more confirmed changes.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln failed job(s)</source>
            <translation>
                <numerusform>%Ln failed job</numerusform>
                <numerusform>%Ln failed jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) held</source>
            <translation>
                <numerusform>%Ln job held</numerusform>
                <numerusform>%Ln jobs held</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) that have not ended</source>
            <translation>
                <numerusform>%Ln job that has not ended</numerusform>
                <numerusform>%Ln jobs that have not ended</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln result(s) kept</source>
            <translation>
                <numerusform>%Ln result kept</numerusform>
                <numerusform>%Ln results kept</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln under way</source>
            <translation>
                <numerusform>%Ln under way</numerusform>
                <numerusform>%Ln under way</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::OverviewPage</name>
        <message numerus="yes">
            <source>%Ln name(s): ready and failed now, and totals</source>
            <translation>
                <numerusform>%Ln name: ready and failed now, and totals</numerusform>
                <numerusform>%Ln names: ready and failed now, and totals</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The first %Ln name(s): ready and failed now, and totals</source>
            <translation>
                <numerusform>The first %Ln name: ready and failed now, and totals</numerusform>
                <numerusform>The first %Ln names: ready and failed now, and totals</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PaletteDialog</name>
        <message numerus="yes">
            <source>Type a part of a name, of the title or ID of a JobMatcher or a schedule, of a worker, of an operation or its reason, or at least %Ln character(s) of a job&apos;s ID. Enter opens what is selected.</source>
            <translation>
                <numerusform>Type a part of a name, of the title or ID of a JobMatcher or a schedule, of a worker, of an operation or its reason, or at least %Ln character of a job's ID. Enter opens what is selected.</numerusform>
                <numerusform>Type a part of a name, of the title or ID of a JobMatcher or a schedule, of a worker, of an operation or its reason, or at least %Ln characters of a job's ID. Enter opens what is selected.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln more: type on to see them</source>
            <comment>of what was found</comment>
            <translation>
                <numerusform>%Ln more: type on to see it</numerusform>
                <numerusform>%Ln more: type on to see them</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PauseDialog</name>
        <message numerus="yes">
            <source>%Ln ready job(s)</source>
            <translation>
                <numerusform>%Ln ready job</numerusform>
                <numerusform>%Ln ready jobs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PayloadModel</name>
        <message numerus="yes">
            <source>%Ln element(s)</source>
            <translation>
                <numerusform>%Ln element</numerusform>
                <numerusform>%Ln elements</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln key(s)</source>
            <translation>
                <numerusform>%Ln key</numerusform>
                <numerusform>%Ln keys</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln byte(s): %1</source>
            <translation>
                <numerusform>%Ln byte: %1</numerusform>
                <numerusform>%Ln bytes: %1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PreviewTree</name>
        <message numerus="yes">
            <source>%Ln job(s)</source>
            <translation>
                <numerusform>%Ln job</numerusform>
                <numerusform>%Ln jobs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ResultsPage</name>
        <message numerus="yes">
            <source>%Ln hour(s) from now</source>
            <translation>
                <numerusform>%Ln hour from now</numerusform>
                <numerusform>%Ln hours from now</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln day(s) from now</source>
            <translation>
                <numerusform>%Ln day from now</numerusform>
                <numerusform>%Ln days from now</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 of %Ln result(s), those that expire first</source>
            <translation>
                <numerusform>%1 of %Ln result, those that expire first</numerusform>
                <numerusform>%1 of %Ln results, those that expire first</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln row</numerusform>
                <numerusform>%Ln rows</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RetentionDialog</name>
        <message numerus="yes">
            <source>%Ln job(s) are purged at once and cannot be brought back. Starred jobs stay.</source>
            <translation>
                <numerusform>%Ln job is purged at once and cannot be brought back. Starred jobs stay.</numerusform>
                <numerusform>%Ln jobs are purged at once and cannot be brought back. Starred jobs stay.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>At least %Ln job(s) are purged at once and cannot be brought back. Starred jobs stay.</source>
            <translation>
                <numerusform>At least %Ln job is purged at once and cannot be brought back. Starred jobs stay.</numerusform>
                <numerusform>At least %Ln jobs are purged at once and cannot be brought back. Starred jobs stay.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Save and purge %Ln job(s)</source>
            <translation>
                <numerusform>Save and purge %Ln job</numerusform>
                <numerusform>Save and purge %Ln jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Save and purge %Ln job(s)?</source>
            <translation>
                <numerusform>Save and purge %Ln job?</numerusform>
                <numerusform>Save and purge %Ln jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Save and purge at least %Ln job(s)?</source>
            <translation>
                <numerusform>Save and purge at least %Ln job?</numerusform>
                <numerusform>Save and purge at least %Ln jobs?</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RetentionPage</name>
        <message numerus="yes">
            <source>%Ln job(s)</source>
            <translation>
                <numerusform>%Ln job</numerusform>
                <numerusform>%Ln jobs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::SchedulesPage</name>
        <message numerus="yes">
            <source>The first %Ln schedule(s)</source>
            <translation>
                <numerusform>The first %Ln schedule</numerusform>
                <numerusform>The first %Ln schedules</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::StateStrip</name>
        <message numerus="yes">
            <source>%Ln more</source>
            <translation>
                <numerusform>%Ln more</numerusform>
                <numerusform>%Ln more</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::TrendView</name>
        <message numerus="yes">
            <source>%1: %Ln failure(s)</source>
            <translation>
                <numerusform>%1: %Ln failure</numerusform>
                <numerusform>%1: %Ln failures</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::WorkersPage</name>
        <message numerus="yes">
            <source>%Ln draining</source>
            <translation>
                <numerusform>%Ln draining</numerusform>
                <numerusform>%Ln draining</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln unreachable</source>
            <translation>
                <numerusform>%Ln unreachable</numerusform>
                <numerusform>%Ln unreachable</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln lost</source>
            <translation>
                <numerusform>%Ln lost</numerusform>
                <numerusform>%Ln lost</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>the first %Ln by name</source>
            <translation>
                <numerusform>the first by name</numerusform>
                <numerusform>the first %Ln by name</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln silent</source>
            <translation>
                <numerusform>%Ln silent</numerusform>
                <numerusform>%Ln silent</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) online</source>
            <translation>
                <numerusform>%Ln worker online</numerusform>
                <numerusform>%Ln workers online</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln late</source>
            <translation>
                <numerusform>%Ln late</numerusform>
                <numerusform>%Ln late</numerusform>
            </translation>
        </message>
    </context>
</TS>
