<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
    <context>
        <name>ConstraintTexts</name>
        <message numerus="yes">
            <source>%n exception(s)</source>
            <translation>
                <numerusform>%n exception</numerusform>
                <numerusform>%n exceptions</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Schedules</name>
        <message numerus="yes">
            <source>%1; %n run(s) before it were missed</source>
            <translation>
                <numerusform>%1; %n run before it was missed</numerusform>
                <numerusform>%1; %n runs before it were missed</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %n day(s)</source>
            <translation>
                <numerusform>every %n day</numerusform>
                <numerusform>every %n days</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %n hour(s)</source>
            <translation>
                <numerusform>every %n hour</numerusform>
                <numerusform>every %n hours</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %n minute(s)</source>
            <translation>
                <numerusform>every %n minute</numerusform>
                <numerusform>every %n minutes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %n second(s)</source>
            <translation>
                <numerusform>every %n second</numerusform>
                <numerusform>every %n seconds</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::BucketsView</name>
        <message numerus="yes">
            <source>%n bucket(s); there are more</source>
            <translation>
                <numerusform>%n bucket; there are more</numerusform>
                <numerusform>%n buckets; there are more</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Tripped for %n key(s)</source>
            <translation>
                <numerusform>Tripped for %n key</numerusform>
                <numerusform>Tripped for %n keys</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Reset for %n key(s)</source>
            <translation>
                <numerusform>Reset for %n key</numerusform>
                <numerusform>Reset for %n keys</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ConstraintsPage</name>
        <message numerus="yes">
            <source>After the last change %n ready job(s) are being read anew</source>
            <translation>
                <numerusform>After the last change %n ready job is being read anew</numerusform>
                <numerusform>After the last change %n ready jobs are being read anew</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) are held</source>
            <translation>
                <numerusform>%n job is held</numerusform>
                <numerusform>%n jobs are held</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The first %n JobMatcher(s)</source>
            <translation>
                <numerusform>The first %n JobMatcher</numerusform>
                <numerusform>The first %n JobMatchers</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ExplainView</name>
        <message numerus="yes">
            <source>%n waiting</source>
            <translation>
                <numerusform>%n waiting</numerusform>
                <numerusform>%n waiting</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n before it</source>
            <translation>
                <numerusform>%n before it</numerusform>
                <numerusform>%n before it</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n worker(s) are waiting for jobs of this name.</source>
            <translation>
                <numerusform>%n worker is waiting for jobs of this name.</numerusform>
                <numerusform>%n workers are waiting for jobs of this name.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::FailuresPage</name>
        <message numerus="yes">
            <source>%n group(s)</source>
            <translation>
                <numerusform>%n group</numerusform>
                <numerusform>%n groups</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The latest %n group(s)</source>
            <translation>
                <numerusform>The latest %n group</numerusform>
                <numerusform>The latest %n groups</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n failure(s)</source>
            <translation>
                <numerusform>%n failure</numerusform>
                <numerusform>%n failures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Retry %n failed job(s)?</source>
            <translation>
                <numerusform>Retry %n failed job?</numerusform>
                <numerusform>Retry %n failed jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) will run again</source>
            <translation>
                <numerusform>%n job will run again</numerusform>
                <numerusform>%n jobs will run again</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobActions</name>
        <message numerus="yes">
            <source>Retry %n job(s)?</source>
            <translation>
                <numerusform>Retry %n job?</numerusform>
                <numerusform>Retry %n jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Retry %n</source>
            <comment>button</comment>
            <translation>
                <numerusform>Retry %n</numerusform>
                <numerusform>Retry %n</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %n job(s)?</source>
            <translation>
                <numerusform>Cancel %n job?</numerusform>
                <numerusform>Cancel %n jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %n job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>Cancel %n job</numerusform>
                <numerusform>Cancel %n jobs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Take %n running job(s) from their workers?</source>
            <translation>
                <numerusform>Take %n running job from its worker?</numerusform>
                <numerusform>Take %n running jobs from their workers?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Force %n</source>
            <comment>button</comment>
            <translation>
                <numerusform>Force %n</numerusform>
                <numerusform>Force %n</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) will run again</source>
            <translation>
                <numerusform>%n job will run again</numerusform>
                <numerusform>%n jobs will run again</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n worker(s) will hear that the job is cancelled</source>
            <translation>
                <numerusform>%n worker will hear that the job is cancelled</numerusform>
                <numerusform>%n workers will hear that the job is cancelled</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) cancelled</source>
            <translation>
                <numerusform>%n job cancelled</numerusform>
                <numerusform>%n jobs cancelled</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) taken from their workers</source>
            <translation>
                <numerusform>%n job taken from its worker</numerusform>
                <numerusform>%n jobs taken from their workers</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %n job(s)?</source>
            <translation>
                <numerusform>Delete %n job?</numerusform>
                <numerusform>Delete %n jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %n</source>
            <comment>button</comment>
            <translation>
                <numerusform>Delete %n</numerusform>
                <numerusform>Delete %n</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %n job(s)?</source>
            <translation>
                <numerusform>Restore %n job?</numerusform>
                <numerusform>Restore %n jobs?</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %n</source>
            <comment>button</comment>
            <translation>
                <numerusform>Restore %n</numerusform>
                <numerusform>Restore %n</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) deleted</source>
            <translation>
                <numerusform>%n job deleted</numerusform>
                <numerusform>%n jobs deleted</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) restored</source>
            <translation>
                <numerusform>%n job restored</numerusform>
                <numerusform>%n jobs restored</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) starred</source>
            <translation>
                <numerusform>%n job starred</numerusform>
                <numerusform>%n jobs starred</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) without a star</source>
            <translation>
                <numerusform>%n job without a star</numerusform>
                <numerusform>%n jobs without a star</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobFields</name>
        <message numerus="yes">
            <source>%n job(s)</source>
            <comment>of a group</comment>
            <translation>
                <numerusform>%n job</numerusform>
                <numerusform>%n jobs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobsPage</name>
        <message numerus="yes">
            <source>%n row(s)</source>
            <translation>
                <numerusform>%n row</numerusform>
                <numerusform>%n rows</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::MainWindow</name>
        <message numerus="yes">
            <source>Stop the master? %n job(s) are running.</source>
            <translation>
                <numerusform>Stop the master? %n job is running.</numerusform>
                <numerusform>Stop the master? %n jobs are running.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>At %1 Redis came back with less than it had answered: at least %n change(s) are gone.</source>
            <translation>
                <numerusform>At %1 Redis came back with less than it had answered: at least %n change is gone.</numerusform>
                <numerusform>At %1 Redis came back with less than it had answered: at least %n changes are gone.</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::OverviewPage</name>
        <message numerus="yes">
            <source>%n name(s)</source>
            <translation>
                <numerusform>%n name</numerusform>
                <numerusform>%n names</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The first %n name(s)</source>
            <translation>
                <numerusform>The first %n name</numerusform>
                <numerusform>The first %n names</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PayloadModel</name>
        <message numerus="yes">
            <source>%n element(s)</source>
            <translation>
                <numerusform>%n element</numerusform>
                <numerusform>%n elements</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n pair(s)</source>
            <translation>
                <numerusform>%n pair</numerusform>
                <numerusform>%n pairs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n byte(s): %1</source>
            <translation>
                <numerusform>%n byte: %1</numerusform>
                <numerusform>%n bytes: %1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PreviewTree</name>
        <message numerus="yes">
            <source>%n job(s)</source>
            <translation>
                <numerusform>%n job</numerusform>
                <numerusform>%n jobs</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ResultsPage</name>
        <message numerus="yes">
            <source>%n hour(s) from now</source>
            <translation>
                <numerusform>%n hour from now</numerusform>
                <numerusform>%n hours from now</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n day(s) from now</source>
            <translation>
                <numerusform>%n day from now</numerusform>
                <numerusform>%n days from now</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%1 of %n result(s), those that expire first</source>
            <translation>
                <numerusform>%1 of %n result, those that expire first</numerusform>
                <numerusform>%1 of %n results, those that expire first</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::SchedulesPage</name>
        <message numerus="yes">
            <source>The first %n schedule(s)</source>
            <translation>
                <numerusform>The first %n schedule</numerusform>
                <numerusform>The first %n schedules</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::TrendView</name>
        <message numerus="yes">
            <source>%1: %n failure(s)</source>
            <translation>
                <numerusform>%1: %n failure</numerusform>
                <numerusform>%1: %n failures</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>StateItems</name>
        <message numerus="yes">
            <source>%n more pause(s)</source>
            <translation>
                <numerusform>%n more pause</numerusform>
                <numerusform>%n more pauses</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n breakers are open: %1</source>
            <translation>
                <numerusform>%n breaker is open: %1</numerusform>
                <numerusform>%n breakers are open: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n job(s) are held</source>
            <translation>
                <numerusform>%n job is held</numerusform>
                <numerusform>%n jobs are held</numerusform>
            </translation>
        </message>
    </context>
</TS>
