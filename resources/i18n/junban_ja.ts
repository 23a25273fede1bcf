<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja">
    <context>
        <name>AccessTexts</name>
        <message>
            <source>pusher</source>
            <translation>プッシャー</translation>
        </message>
        <message>
            <source>worker</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>viewer</source>
            <translation>閲覧者</translation>
        </message>
        <message>
            <source>operator</source>
            <translation>オペレーター</translation>
        </message>
        <message>
            <source>administrator</source>
            <translation>管理者</translation>
        </message>
        <message>
            <source>enqueues jobs and collects their results</source>
            <translation>ジョブを追加し、結果を受け取る</translation>
        </message>
        <message>
            <source>claims jobs and reports</source>
            <translation>ジョブを受け取り、結果を報告する</translation>
        </message>
        <message>
            <source>sees everything, changes nothing</source>
            <translation>すべてを見るだけ</translation>
        </message>
        <message>
            <source>also steers jobs, limits and schedules</source>
            <translation>ジョブ、制限、スケジュールも操作する</translation>
        </message>
        <message>
            <source>also tokens, retention and the audit</source>
            <translation>トークン、保持期間、監査も扱う</translation>
        </message>
        <message>
            <source>401: no valid token</source>
            <translation>401: 有効なトークンがない</translation>
        </message>
        <message>
            <source>403: the role does not allow it</source>
            <translation>403: ロールで許可されていない</translation>
        </message>
        <message>
            <source>404: not found</source>
            <translation>404: 見つからない</translation>
        </message>
        <message>
            <source>409: conflict</source>
            <translation>409: 競合</translation>
        </message>
        <message>
            <source>412: someone else changed it first</source>
            <translation>412: 先に他の人が変更した</translation>
        </message>
        <message>
            <source>429: too many attempts</source>
            <translation>429: 試行が多すぎる</translation>
        </message>
        <message>
            <source>%1: failed</source>
            <translation>%1: 失敗</translation>
        </message>
        <message>
            <source>%1: refused</source>
            <translation>%1: 拒否</translation>
        </message>
        <message>
            <source>%1: done</source>
            <translation>%1: 完了</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a field and its value</comment>
            <translation>%1: %2</translation>
        </message>
        <message>
            <source>not kept: larger than the audit keeps (%1)</source>
            <translation>監査に残せる大きさを超えたため保存されていません（%1）</translation>
        </message>
        <message>
            <source>(no token yet)</source>
            <comment>who made a token</comment>
            <translation>（まだトークンなし）</translation>
        </message>
    </context>
    <context>
        <name>ArgumentPaths</name>
        <message>
            <source>%1 % of the jobs</source>
            <translation>ジョブの %1%</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <comment>a type and a share</comment>
            <translation>%1、%2</translation>
        </message>
        <message>
            <source>function</source>
            <translation>関数</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s), %1</source>
            <translation>
                <numerusform>%Ln件、%1</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Condition</name>
        <message>
            <source>Filter by %1</source>
            <translation>%1 で絞り込む</translation>
        </message>
        <message>
            <source>And %1</source>
            <translation>さらに %1 で絞り込む</translation>
        </message>
        <message>
            <source>Exclude %1</source>
            <translation>%1 を除外</translation>
        </message>
        <message>
            <source>New JobMatcher for %1…</source>
            <translation>%1 のジョブマッチャーを作成…</translation>
        </message>
        <message>
            <source>this</source>
            <translation>これ</translation>
        </message>
        <message>
            <source>Pause jobs with %1…</source>
            <translation>%1 のジョブを一時停止…</translation>
        </message>
    </context>
    <context>
        <name>ConstraintTexts</name>
        <message>
            <source>%1 %</source>
            <comment>percent</comment>
            <translation>%1%</translation>
        </message>
        <message>
            <source>paused</source>
            <translation>一時停止中</translation>
        </message>
        <message>
            <source>, each costs %1</source>
            <translation>、1件のコスト %1</translation>
        </message>
        <message>
            <source>%1 per %2</source>
            <comment>jobs per duration</comment>
            <translation>%2あたり %1件</translation>
        </message>
        <message>
            <source>, burst %1</source>
            <translation>、バースト %1</translation>
        </message>
        <message>
            <source>, sliding</source>
            <translation>、スライディング</translation>
        </message>
        <message>
            <source>, in fixed windows of %1</source>
            <translation>、固定区間（%1）</translation>
        </message>
        <message>
            <source>%1 at a time</source>
            <translation>同時に %1件</translation>
        </message>
        <message>
            <source>, reserves after %1</source>
            <translation>、%1後に枠を確保</translation>
        </message>
        <message>
            <source>at least %1</source>
            <translation>%1 以上</translation>
        </message>
        <message>
            <source>at most %1</source>
            <translation>%1 以下</translation>
        </message>
        <message>
            <source>any part</source>
            <translation>制限なし</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>a key and its share</comment>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>others %1</source>
            <translation>その他 %1</translation>
        </message>
        <message>
            <source>%1 shared: %2</source>
            <translation>%1 を分配：%2</translation>
        </message>
        <message>
            <source>, may borrow</source>
            <translation>、余りを借用可</translation>
        </message>
        <message>
            <source> on %1</source>
            <translation>（%1 のみ）</translation>
        </message>
        <message>
            <source>only %1</source>
            <translation>%1 のみ</translation>
        </message>
        <message>
            <source>cancels running jobs</source>
            <translation>終了時刻に実行中のものを取り消す</translation>
        </message>
        <message>
            <source>paused until %1</source>
            <translation>%1 まで一時停止</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>paused, and why</comment>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>trips at %1 % failures in %2, for %3</source>
            <translation>%2間の失敗が %1% で %3遮断</translation>
        </message>
        <message>
            <source>waits as long as failures ask, at most %1</source>
            <translation>失敗時の指定だけ待つ（最大%1）</translation>
        </message>
        <message>
            <source>more are refused</source>
            <translation>超過分は拒否</translation>
        </message>
        <message>
            <source>the oldest are dropped</source>
            <translation>古いものを破棄</translation>
        </message>
        <message>
            <source>more are coalesced</source>
            <translation>超過分は統合</translation>
        </message>
        <message>
            <source>%1 ready at most, %2</source>
            <translation>実行待ちは %1件まで、%2</translation>
        </message>
        <message>
            <source>keys take turns by weight %1</source>
            <translation>重み %1 でキーが交替</translation>
        </message>
        <message>
            <source>keys take turns</source>
            <translation>キーが交替</translation>
        </message>
        <message>
            <source>priority %1</source>
            <translation>優先度 %1</translation>
        </message>
        <message>
            <source>timeout %1</source>
            <translation>タイムアウト %1</translation>
        </message>
        <message>
            <source>retries %1</source>
            <translation>再試行 %1回</translation>
        </message>
        <message>
            <source>retry delay %1</source>
            <translation>再試行の間隔 %1</translation>
        </message>
        <message>
            <source>sets nothing</source>
            <translation>設定なし</translation>
        </message>
        <message>
            <source>Rate</source>
            <translation>レート</translation>
        </message>
        <message>
            <source>Concurrency</source>
            <translation>同時実行</translation>
        </message>
        <message>
            <source>Shares</source>
            <translation>配分</translation>
        </message>
        <message>
            <source>Time windows</source>
            <translation>時間帯</translation>
        </message>
        <message>
            <source>Pause</source>
            <translation>一時停止</translation>
        </message>
        <message>
            <source>Circuit breaker</source>
            <translation>サーキットブレーカー</translation>
        </message>
        <message>
            <source>Cooldown</source>
            <translation>クールダウン</translation>
        </message>
        <message>
            <source>Backlog</source>
            <translation>待ち行列の上限</translation>
        </message>
        <message>
            <source>Fair turns</source>
            <translation>公平な順番</translation>
        </message>
        <message>
            <source>Set fields</source>
            <translation>項目の上書き</translation>
        </message>
        <message>
            <source>Limits how many jobs start in a period.</source>
            <translation>一定期間に開始するジョブの数を制限します。</translation>
        </message>
        <message>
            <source>Limits how many jobs run at the same time.</source>
            <translation>同時に実行するジョブの数を制限します。</translation>
        </message>
        <message>
            <source>A capacity of running jobs is divided among keys.</source>
            <translation>実行中のジョブの枠をキーごとに分配します。</translation>
        </message>
        <message>
            <source>Jobs start only at certain hours.</source>
            <translation>決まった時間帯にだけジョブを開始します。</translation>
        </message>
        <message>
            <source>No job starts until the pause ends.</source>
            <translation>一時停止が終わるまでジョブを開始しません。</translation>
        </message>
        <message>
            <source>When too many jobs fail, none starts for a while; then a few are tried.</source>
            <translation>失敗が多いとしばらく開始を止め、その後少数を試します。</translation>
        </message>
        <message>
            <source>When a failure asks for a delay, all jobs of its key wait that long.</source>
            <translation>失敗時に指定された時間、同じキーのジョブをすべて待たせます。</translation>
        </message>
        <message>
            <source>Limits how many jobs may be ready; more are refused, dropped or coalesced.</source>
            <translation>実行待ちのジョブの数を制限し、超えた分は拒否・破棄・統合します。</translation>
        </message>
        <message>
            <source>Among jobs of the same priority, keys take turns.</source>
            <translation>同じ優先度のジョブの間で、キーが順番に実行されます。</translation>
        </message>
        <message>
            <source>Replaces fields of the jobs.</source>
            <translation>ジョブの項目を上書きします。</translation>
        </message>
        <message>
            <source>enforced</source>
            <translation>有効</translation>
        </message>
        <message>
            <source>observes only</source>
            <translation>観察のみ</translation>
        </message>
        <message>
            <source>off</source>
            <translation>オフ</translation>
        </message>
        <message>
            <source>for each %1</source>
            <translation>%1 ごと</translation>
        </message>
        <message>
            <source>not for jobs without a key</source>
            <translation>キーのないジョブは対象外</translation>
        </message>
        <message numerus="yes">
            <source>%Ln exception(s)</source>
            <translation>
                <numerusform>例外 %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>until %1</source>
            <translation>%1 まで</translation>
        </message>
        <message>
            <source>Line %1, column %2: %3</source>
            <translation>%1行%2文字目：%3</translation>
        </message>
        <message>
            <source>Title</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Expression</source>
            <translation>式</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>メモ</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>はい</translation>
        </message>
        <message>
            <source>no</source>
            <translation>いいえ</translation>
        </message>
        <message>
            <source>Rank</source>
            <translation>順位</translation>
        </message>
        <message>
            <source>Exempts</source>
            <translation>免除</translation>
        </message>
        <message>
            <source>closed %1</source>
            <translation>%1 は停止</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) are held</source>
            <translation>
                <numerusform>%Ln件のジョブが保留中</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 by %2</source>
            <comment>jobs are held, a JobMatcher</comment>
            <translation>%1：%2</translation>
        </message>
        <message numerus="yes">
            <source>%1 by %2 and %Ln more limit(s)</source>
            <comment>jobs are held, a JobMatcher</comment>
            <translation>
                <numerusform>%1：%2 ほか %Ln件の制限</numerusform>
            </translation>
        </message>
        <message>
            <source>most by %1: %2</source>
            <comment>a JobMatcher, a count</comment>
            <translation>最多は %1：%2</translation>
        </message>
        <message>
            <source>Pause “%1”</source>
            <comment>its reason</comment>
            <translation>一時停止「%1」</translation>
        </message>
        <message>
            <source>each new job drops the oldest</source>
            <comment>a backlog is full</comment>
            <translation>新しいジョブが来るたびに最も古いものを破棄</translation>
        </message>
        <message>
            <source>new jobs join the newest waiting job</source>
            <comment>a backlog is full</comment>
            <translation>新しいジョブは待機中の最新のものに統合</translation>
        </message>
        <message>
            <source>new jobs are refused</source>
            <comment>a backlog is full</comment>
            <translation>新しいジョブは拒否</translation>
        </message>
        <message>
            <source>all that match</source>
            <comment>jobs, of the only bucket</comment>
            <translation>該当するすべて</translation>
        </message>
        <message>
            <source>For each</source>
            <translation>分ける単位</translation>
        </message>
        <message>
            <source>Exceptions (JSON)</source>
            <translation>例外 (JSON)</translation>
        </message>
        <message>
            <source>Time zone</source>
            <translation>タイムゾーン</translation>
        </message>
        <message>
            <source>Cost of a job</source>
            <translation>ジョブのコスト</translation>
        </message>
        <message>
            <source>Weight of a key</source>
            <translation>キーの重み</translation>
        </message>
        <message>
            <source>Dates</source>
            <translation>日付</translation>
        </message>
        <message>
            <source>Unreadable</source>
            <comment>what cannot be read any more</comment>
            <translation>読み取り不能</translation>
        </message>
        <message numerus="yes">
            <source>At least %Ln job(s) are held</source>
            <translation>
                <numerusform>少なくとも %Ln件のジョブが保留中</numerusform>
            </translation>
        </message>
        <message>
            <source>Enabled</source>
            <translation>使用中</translation>
        </message>
        <message>
            <source>Masked fields</source>
            <translation>隠す項目</translation>
        </message>
        <message>
            <source>Its jobs may not start for up to %1: those that started at the higher rate count at the lower one.</source>
            <translation>最大 %1、ジョブが開始されない可能性があります。高いレートで開始された分が、低いレートで数えられるためです。</translation>
        </message>
        <message>
            <source>%1 per second</source>
            <comment>jobs</comment>
            <translation>毎秒 %1件</translation>
        </message>
        <message>
            <source>%1 per minute</source>
            <comment>jobs</comment>
            <translation>毎分 %1件</translation>
        </message>
        <message>
            <source>%1 per hour</source>
            <comment>jobs</comment>
            <translation>毎時 %1件</translation>
        </message>
        <message>
            <source>%1 per day</source>
            <comment>jobs</comment>
            <translation>毎日 %1件</translation>
        </message>
    </context>
    <context>
        <name>CopyText</name>
        <message>
            <source>Copied</source>
            <translation>コピーしました</translation>
        </message>
    </context>
    <context>
        <name>Dialogs</name>
        <message>
            <source>Settings</source>
            <translation>設定</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>ライト</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>ダーク</translation>
        </message>
        <message>
            <source>Local time</source>
            <translation>現地時刻</translation>
        </message>
        <message>
            <source>UTC</source>
            <translation>UTC</translation>
        </message>
        <message>
            <source>&amp;Language</source>
            <translation>言語(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Appearance</source>
            <translation>外観(&amp;A)</translation>
        </message>
        <message>
            <source>Keys</source>
            <translation>キー操作</translation>
        </message>
        <message>
            <source>Filter the jobs</source>
            <translation>ジョブを絞り込む</translation>
        </message>
        <message>
            <source>Go to a job by its ID</source>
            <translation>ID でジョブを開く</translation>
        </message>
        <message>
            <source>Refresh and go live</source>
            <translation>更新してライブ表示に戻す</translation>
        </message>
        <message>
            <source>Show or hide the inspector</source>
            <translation>インスペクターの表示・非表示</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>終了</translation>
        </message>
        <message>
            <source>These keys</source>
            <translation>このキー一覧</translation>
        </message>
        <message>
            <source>In the table: next and previous job</source>
            <translation>表: 次・前のジョブ</translation>
        </message>
        <message>
            <source>In the table: select several jobs, select all</source>
            <translation>表: 複数選択、すべて選択</translation>
        </message>
        <message>
            <source>In the table: open in the inspector</source>
            <translation>表: インスペクターで開く</translation>
        </message>
        <message>
            <source>In the table: freeze, go live</source>
            <translation>表: 固定・ライブの切り替え</translation>
        </message>
        <message>
            <source>In the table: retry the selected jobs</source>
            <translation>表: 選択したジョブを再試行</translation>
        </message>
        <message>
            <source>In the table: cancel the selected jobs</source>
            <translation>表: 選択したジョブを取り消す</translation>
        </message>
        <message>
            <source>In the table: copy the IDs</source>
            <translation>表: ID をコピー</translation>
        </message>
        <message>
            <source>About Junban</source>
            <translation>Junban について</translation>
        </message>
        <message>
            <source>Junban</source>
            <translation>Junban</translation>
        </message>
        <message>
            <source>A durable job queue with a cockpit.</source>
            <translation>運用画面を備えた、ジョブを失わないジョブキュー。</translation>
        </message>
        <message>
            <source>The master is version %1.</source>
            <translation>マスターのバージョンは %1 です。</translation>
        </message>
        <message>
            <source>Qt %1</source>
            <translation>Qt %1</translation>
        </message>
        <message>
            <source>Free software under the GNU General Public License, version 3.</source>
            <translation>GNU 一般公衆利用許諾書 バージョン 3 に基づく自由ソフトウェアです。</translation>
        </message>
        <message>
            <source>Find a command, a job or a name</source>
            <translation>コマンド、ジョブ、名前を探す</translation>
        </message>
        <message>
            <source>Enqueue a new job</source>
            <translation>新しいジョブを登録</translation>
        </message>
        <message>
            <source>The screens, from the top</source>
            <translation>上から順に各画面</translation>
        </message>
        <message>
            <source>In the table: star the selected jobs</source>
            <translation>表: 選択したジョブにスターを付ける</translation>
        </message>
        <message>
            <source>In the table: delete the selected jobs</source>
            <translation>表: 選択したジョブを削除する</translation>
        </message>
        <message>
            <source>In the table: edit the selected job</source>
            <translation>表：選択したジョブを編集する</translation>
        </message>
        <message>
            <source>&amp;Restart the window now</source>
            <translation>ウィンドウを今すぐ再起動(&amp;R)</translation>
        </message>
        <message>
            <source>The new language is shown after a restart of the window, now or later.
Jobs, workers and operations continue.</source>
            <translation>新しい言語はウィンドウの再起動後に表示されます。今すぐでも後でもかまいません。
ジョブ、ワーカー、操作はそのまま続きます。</translation>
        </message>
        <message>
            <source>System default</source>
            <translation>システムに合わせる</translation>
        </message>
        <message>
            <source>&amp;Time zone</source>
            <translation>時刻の表示(&amp;T)</translation>
        </message>
        <message>
            <source>Undo, as long as it is offered</source>
            <translation>元に戻す（できる間）</translation>
        </message>
        <message>
            <source>In the table: drop the selection</source>
            <translation>表：選択を解除する</translation>
        </message>
        <message>
            <source>In the table: why the job is not running</source>
            <translation>表：ジョブが実行されない理由</translation>
        </message>
        <message>
            <source>Copy a link to what is shown</source>
            <translation>表示中の画面へのリンクをコピー</translation>
        </message>
        <message>
            <source>Set a reason for your changes</source>
            <translation>変更すべてに付ける理由</translation>
        </message>
        <message>
            <source>In the chart: read the values of a moment</source>
            <translation>グラフ: その時点の値を読む</translation>
        </message>
    </context>
    <context>
        <name>Format</name>
        <message>
            <source>%1k</source>
            <comment>thousands</comment>
            <translation>%1千</translation>
        </message>
        <message>
            <source>%1M</source>
            <comment>millions</comment>
            <translation>%1百万</translation>
        </message>
        <message>
            <source>%1/s</source>
            <comment>per second</comment>
            <translation>%1/秒</translation>
        </message>
        <message>
            <source>%1 ms</source>
            <comment>milliseconds</comment>
            <translation>%1ミリ秒</translation>
        </message>
        <message>
            <source>%1 s</source>
            <comment>seconds</comment>
            <translation>%1秒</translation>
        </message>
        <message>
            <source>%1 m %2 s</source>
            <comment>minutes and seconds</comment>
            <translation>%1分%2秒</translation>
        </message>
        <message>
            <source>%1 h %2 m</source>
            <comment>hours and minutes</comment>
            <translation>%1時間%2分</translation>
        </message>
        <message>
            <source>%1 d %2 h</source>
            <comment>days and hours</comment>
            <translation>%1日%2時間</translation>
        </message>
        <message>
            <source>%1 = %2</source>
            <comment>the same moment in two time zones</comment>
            <translation>%1 = %2</translation>
        </message>
        <message>
            <source>%1 d</source>
            <comment>days</comment>
            <translation>%1日</translation>
        </message>
        <message>
            <source>%1 h</source>
            <comment>hours</comment>
            <translation>%1時間</translation>
        </message>
        <message>
            <source>%1 m</source>
            <comment>minutes</comment>
            <translation>%1分</translation>
        </message>
        <message>
            <source>%1/min</source>
            <comment>per minute</comment>
            <translation>%1/分</translation>
        </message>
    </context>
    <context>
        <name>JobHistory</name>
        <message>
            <source>enqueued</source>
            <translation>登録</translation>
        </message>
        <message>
            <source>started</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>succeeded</source>
            <translation>成功</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>released</source>
            <translation>返却</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>取消済み</translation>
        </message>
        <message>
            <source>timeout</source>
            <translation>時間切れ</translation>
        </message>
        <message>
            <source>reason</source>
            <translation>理由別</translation>
        </message>
        <message>
            <source>lease ran out</source>
            <translation>リース切れ</translation>
        </message>
        <message>
            <source>asked to stop</source>
            <translation>停止を要求</translation>
        </message>
        <message>
            <source>put back to run again</source>
            <translation>再び実行待ちへ</translation>
        </message>
        <message>
            <source>edited</source>
            <translation>編集</translation>
        </message>
        <message>
            <source>handed off, waits for a message</source>
            <translation>引き渡し、メッセージ待ち</translation>
        </message>
        <message>
            <source>message came</source>
            <translation>メッセージ到着</translation>
        </message>
        <message>
            <source>its dependencies have succeeded</source>
            <translation>依存するジョブがすべて成功</translation>
        </message>
        <message>
            <source>expired before it started</source>
            <translation>開始前に期限切れ</translation>
        </message>
        <message>
            <source>a dependency did not succeed</source>
            <translation>依存するジョブが成功しなかった</translation>
        </message>
        <message>
            <source>a follow-up job was refused</source>
            <translation>後続ジョブを登録できなかった</translation>
        </message>
        <message>
            <source>replaced by a job with the same unique key</source>
            <translation>同じ一意キーのジョブで置き換え</translation>
        </message>
        <message>
            <source>put into the trash</source>
            <translation>ゴミ箱へ移動</translation>
        </message>
        <message>
            <source>taken back out of the trash</source>
            <translation>ゴミ箱から復元</translation>
        </message>
        <message>
            <source>priority</source>
            <translation>優先度</translation>
        </message>
        <message>
            <source>start</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>argument</source>
            <translation>引数</translation>
        </message>
        <message>
            <source>bytes of the argument</source>
            <translation>引数のバイト数</translation>
        </message>
        <message>
            <source>tags</source>
            <translation>タグ</translation>
        </message>
        <message>
            <source>retries</source>
            <translation>再試行回数</translation>
        </message>
        <message>
            <source>number</source>
            <translation>番号</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a field and its value</comment>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>before: %1</source>
            <translation>変更前 — %1</translation>
        </message>
        <message>
            <source>made room in a full backlog</source>
            <translation>待ち行列が満杯になり破棄されました</translation>
        </message>
    </context>
    <context>
        <name>Look</name>
        <message>
            <source>scheduled</source>
            <translation>時刻待ち</translation>
        </message>
        <message>
            <source>depends</source>
            <translation>依存待ち</translation>
        </message>
        <message>
            <source>ready</source>
            <translation>実行待ち</translation>
        </message>
        <message>
            <source>running</source>
            <translation>実行中</translation>
        </message>
        <message>
            <source>awaiting</source>
            <translation>応答待ち</translation>
        </message>
        <message>
            <source>succeeded</source>
            <translation>成功</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>取消済み</translation>
        </message>
        <message>
            <source>timed out</source>
            <translation>時間切れ</translation>
        </message>
        <message>
            <source>its workers kept disappearing</source>
            <translation>ワーカーの消失が繰り返された</translation>
        </message>
        <message>
            <source>cancelled on request</source>
            <translation>取り消しの要求</translation>
        </message>
        <message>
            <source>not started in time</source>
            <translation>期限までに開始されなかった</translation>
        </message>
        <message>
            <source>a job it depends on did not succeed</source>
            <translation>依存先のジョブが成功しなかった</translation>
        </message>
        <message>
            <source>dropped from a full backlog</source>
            <translation>待ち行列があふれて破棄された</translation>
        </message>
        <message>
            <source>could not be enqueued</source>
            <translation>登録できませんでした</translation>
        </message>
        <message>
            <source>The attempt took longer than its timeout.</source>
            <translation>試行が制限時間を超えました。</translation>
        </message>
        <message>
            <source>The lease ran out without a heartbeat.</source>
            <translation>ハートビートがないままリースが切れました。</translation>
        </message>
        <message>
            <source>No message came in time.</source>
            <translation>期限までにメッセージが届きませんでした。</translation>
        </message>
        <message>
            <source>It was not started in time.</source>
            <translation>期限までに開始されませんでした。</translation>
        </message>
        <message>
            <source>Newer jobs took its place in a full backlog.</source>
            <translation>待ち行列が満杯になり、新しいジョブのために破棄されました。</translation>
        </message>
        <message>
            <source>Released after a cancel was asked for.</source>
            <translation>取り消しの要求後に解放されました。</translation>
        </message>
        <message>
            <source>worker error</source>
            <translation>ワーカーの報告</translation>
        </message>
        <message>
            <source>desktop window</source>
            <comment>who did it</comment>
            <translation>デスクトップウィンドウ</translation>
        </message>
        <message>
            <source>local API</source>
            <comment>who did it</comment>
            <translation>ローカル API</translation>
        </message>
        <message>
            <source>local socket</source>
            <comment>who did it</comment>
            <translation>ローカルソケット</translation>
        </message>
        <message>
            <source>network, no token</source>
            <comment>who did it</comment>
            <translation>ネットワーク（トークンなし）</translation>
        </message>
        <message>
            <source>unknown</source>
            <comment>who did it</comment>
            <translation>不明</translation>
        </message>
        <message>
            <source>master</source>
            <comment>who did it</comment>
            <translation>マスター</translation>
        </message>
        <message>
            <source>pusher</source>
            <comment>who did it</comment>
            <translation>プッシャー</translation>
        </message>
        <message>
            <source>operator</source>
            <comment>who did it</comment>
            <translation>オペレーター</translation>
        </message>
        <message>
            <source>schedule</source>
            <comment>who did it</comment>
            <translation>スケジュール</translation>
        </message>
    </context>
    <context>
        <name>Operation</name>
        <message>
            <source>retry</source>
            <translation>再試行</translation>
        </message>
        <message>
            <source>cancel</source>
            <translation>取り消し</translation>
        </message>
        <message>
            <source>delete</source>
            <translation>削除</translation>
        </message>
        <message>
            <source>restore</source>
            <translation>ゴミ箱から戻す</translation>
        </message>
        <message>
            <source>change</source>
            <translation>変更</translation>
        </message>
        <message>
            <source>prepared</source>
            <translation>準備済み</translation>
        </message>
        <message>
            <source>running</source>
            <translation>実行中</translation>
        </message>
        <message>
            <source>paused</source>
            <translation>一時停止中</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>停止済み</translation>
        </message>
        <message>
            <source>done</source>
            <translation>完了</translation>
        </message>
        <message numerus="yes">
            <source>Retry %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブを再試行しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブを取り消しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブを削除しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブをゴミ箱から戻しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Change %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブを変更しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Retry %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を再試行する</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を取り消す</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を削除する</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を戻す</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Change %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を変更する</numerusform>
            </translation>
        </message>
        <message>
            <source>Retrying: %1 of %2</source>
            <translation>再試行中: %1 / %2</translation>
        </message>
        <message>
            <source>Cancelling: %1 of %2</source>
            <translation>取り消し中: %1 / %2</translation>
        </message>
        <message>
            <source>Deleting: %1 of %2</source>
            <translation>削除中: %1 / %2</translation>
        </message>
        <message>
            <source>Restoring: %1 of %2</source>
            <translation>ゴミ箱から戻しています: %1 / %2</translation>
        </message>
        <message>
            <source>Changing: %1 of %2</source>
            <translation>変更中: %1 / %2</translation>
        </message>
        <message>
            <source>, %1 skipped</source>
            <translation>、%1件はそのまま</translation>
        </message>
        <message>
            <source> (paused)</source>
            <translation>（一時停止中）</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) deleted</source>
            <translation>
                <numerusform>%Ln件のジョブを削除しました</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) restored</source>
            <translation>
                <numerusform>%Ln件のジョブをゴミ箱から戻しました</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) changed</source>
            <translation>
                <numerusform>%Ln件のジョブを変更しました</numerusform>
            </translation>
        </message>
        <message>
            <source>Stopped after %1 of %2 jobs: %3</source>
            <comment>what came of it</comment>
            <translation>%2件中 %1件で停止しました: %3</translation>
        </message>
        <message>
            <source>; skipped: %1</source>
            <comment>states and counts</comment>
            <translation>。そのまま: %1</translation>
        </message>
        <message>
            <source>in the trash</source>
            <translation>ゴミ箱の中</translation>
        </message>
        <message>
            <source>gone</source>
            <translation>なくなった</translation>
        </message>
        <message>
            <source>another job has the unique key</source>
            <translation>別のジョブが一意キーを持っています</translation>
        </message>
        <message>
            <source>started meanwhile</source>
            <translation>その間に開始された</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>a count, a reason</comment>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a state and a count</comment>
            <translation>%1: %2</translation>
        </message>
        <message>
            <source>In the trash: %1</source>
            <translation>ゴミ箱の中: %1</translation>
        </message>
        <message>
            <source>Already gone: %1</source>
            <translation>その間になくなった: %1</translation>
        </message>
        <message>
            <source>More jobs match than one operation can have; repeat it for the rest.</source>
            <translation>1回の一括操作の上限を超えています。残りはもう一度実行してください。</translation>
        </message>
        <message>
            <source>%1 %</source>
            <comment>percent</comment>
            <translation>%1%</translation>
        </message>
        <message>
            <source>%1 of them meet the limit “%2”, which lets %3 start</source>
            <translation>そのうち %1 が制限「%2」の対象です（開始は %3）</translation>
        </message>
        <message>
            <source>%1 of them meet the limit “%2”</source>
            <translation>そのうち %1 が制限「%2」の対象です</translation>
        </message>
        <message>
            <source>They take at least %1 to start.</source>
            <translation>すべて開始するまで少なくとも %1 かかります。</translation>
        </message>
        <message numerus="yes">
            <source>%1 %Ln job(s)</source>
            <comment>an action</comment>
            <translation>
                <numerusform>%1 %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>%1; %2</source>
            <comment>what came of an operation, how many jobs it did not reach</comment>
            <translation>%1、%2</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) were not reached</source>
            <translation>
                <numerusform>未処理のジョブ %Ln件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) cancelled or, if they ran, asked to stop</source>
            <translation>
                <numerusform>%Ln件のジョブを取り消し、または実行中のため停止を求めました</numerusform>
            </translation>
        </message>
        <message>
            <source>Running jobs are asked to stop. One may still succeed before its worker hears of it.</source>
            <translation>実行中のジョブには停止を求めます。ワーカーに届く前に成功することもあります。</translation>
        </message>
        <message>
            <source>of one cause</source>
            <translation>1つの原因</translation>
        </message>
        <message>
            <source>failed with: %1</source>
            <comment>a cause</comment>
            <translation>失敗の原因：%1</translation>
        </message>
        <message>
            <source>tag %1</source>
            <translation>タグ %1</translation>
        </message>
        <message>
            <source>selected: %1</source>
            <comment>IDs of jobs</comment>
            <translation>選択：%1</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) cancelled before they started</source>
            <translation>
                <numerusform>%Ln件のジョブを開始前に取り消しました</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 (undoes another one)</source>
            <comment>an operation</comment>
            <translation>%1（別の操作を元に戻す）</translation>
        </message>
        <message>
            <source>%1 of them go into the backlog of “%2”. When %3 jobs are ready, it is full: %4.</source>
            <comment>a percentage, a JobMatcher, a count, what comes of new jobs</comment>
            <translation>そのうち %1 は「%2」の待ち行列に入ります。実行待ちが %3件で満杯になります（%4）。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) retried</source>
            <translation>
                <numerusform>%Ln件のジョブを再試行しました</numerusform>
            </translation>
        </message>
        <message>
            <source>This cannot be undone. A cancelled job can be retried as long as it is kept.</source>
            <translation>この操作は元に戻せません。取り消したジョブは、保持されている間は再試行できます。</translation>
        </message>
        <message>
            <source>%1: %2, skipped</source>
            <comment>a state and a count</comment>
            <translation>%1: %2（対象外）</translation>
        </message>
        <message>
            <source>In the trash: %1, skipped</source>
            <translation>ゴミ箱の中: %1（対象外）</translation>
        </message>
        <message>
            <source>Jobs that arrive later are not changed.</source>
            <translation>これから来るジョブは対象外です。</translation>
        </message>
        <message>
            <source>requeue</source>
            <translation>キューに戻す</translation>
        </message>
        <message numerus="yes">
            <source>Requeue %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブをキューに戻しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Requeue %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件をキューに戻す</numerusform>
            </translation>
        </message>
        <message>
            <source>Requeuing: %1 of %2</source>
            <translation>キューに戻しています: %1 / %2</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) requeued</source>
            <translation>
                <numerusform>%Ln件のジョブをキューに戻しました</numerusform>
            </translation>
        </message>
        <message>
            <source>Other workers may start them at once. If their worker still runs them, they run twice, and its reports are refused.</source>
            <translation>ほかのワーカーがすぐに開始できます。元のワーカーがまだ実行中の場合は二重に実行され、その報告は拒否されます。</translation>
        </message>
        <message numerus="yes">
            <source>%1 and %Ln other(s)</source>
            <comment>a job</comment>
            <translation>
                <numerusform>%1 ほか %Ln件</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>OverviewBars</name>
        <message numerus="yes">
            <source>%1 and %Ln more name(s)</source>
            <translation>
                <numerusform>%1（ほか %Ln種）</numerusform>
            </translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a kind of limit, a JobMatcher</comment>
            <translation>%1: %2</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <comment>used, a limit</comment>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>(no message)</source>
            <translation>（メッセージなし）</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a name, a cause</comment>
            <translation>%1: %2</translation>
        </message>
        <message>
            <source>No worker asks for %1</source>
            <comment>a name</comment>
            <translation>%1 を受け付けるワーカーがいません</translation>
        </message>
        <message numerus="yes">
            <source>Priority %1: %Ln ready job(s)</source>
            <translation>
                <numerusform>優先度 %1: 実行待ち %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>draining</source>
            <translation>割り当て停止中</translation>
        </message>
        <message>
            <source>lost</source>
            <translation>行方不明</translation>
        </message>
        <message>
            <source>unreachable</source>
            <translation>到達不能</translation>
        </message>
        <message>
            <source>%1 for %2: %3</source>
            <comment>a state, a duration, a worker</comment>
            <translation>%1（%2）: %3</translation>
        </message>
        <message>
            <source>%1 or more</source>
            <comment>a number</comment>
            <translation>%1 以上</translation>
        </message>
        <message>
            <source>holds %1</source>
            <comment>a limit, jobs</comment>
            <translation>%1件保留中</translation>
        </message>
        <message>
            <source>Not yet read since the last change of a JobMatcher</source>
            <translation>JobMatcher の直前の変更のあと、まだ読み直していない</translation>
        </message>
        <message>
            <source>Scheduled for later (delays, retries)</source>
            <translation>予定時刻待ち（遅延・再試行）</translation>
        </message>
        <message>
            <source>Waiting for other jobs</source>
            <translation>ほかのジョブの完了待ち</translation>
        </message>
        <message>
            <source>Waiting for a message</source>
            <translation>メッセージ待ち</translation>
        </message>
        <message>
            <source>Waiting for a free worker</source>
            <translation>ワーカーの空き待ち</translation>
        </message>
        <message>
            <source>%1 or fewer</source>
            <comment>a number</comment>
            <translation>%1 以下</translation>
        </message>
        <message>
            <source>%1 in %2</source>
            <comment>used of a limit, a period</comment>
            <translation>%1（%2あたり）</translation>
        </message>
        <message>
            <source>%1 · %2 waiting</source>
            <comment>a use of a limit, jobs</comment>
            <translation>%1 · %2件待機</translation>
        </message>
        <message>
            <source>%1 · about %2</source>
            <comment>a use of a limit, a duration</comment>
            <translation>%1 · 約%2</translation>
        </message>
        <message>
            <source>tripped · %1 waiting</source>
            <translation>遮断 · %1件待機</translation>
        </message>
        <message>
            <source>full · %1 waiting</source>
            <translation>満杯 · %1件待機</translation>
        </message>
        <message>
            <source>not full · %1 waiting</source>
            <translation>空きあり · %1件待機</translation>
        </message>
        <message>
            <source>not full</source>
            <comment>a limit</comment>
            <translation>空きあり</translation>
        </message>
        <message>
            <source>online</source>
            <translation>稼働中</translation>
        </message>
        <message>
            <source>late</source>
            <translation>応答遅延</translation>
        </message>
    </context>
    <context>
        <name>PreviewTexts</name>
        <message>
            <source>a field is missing</source>
            <translation>項目がありません</translation>
        </message>
        <message>
            <source>a key is missing</source>
            <translation>キーがありません</translation>
        </message>
        <message>
            <source>a value has another type</source>
            <translation>値の型が異なります</translation>
        </message>
        <message>
            <source>a number is too large</source>
            <translation>数が大きすぎます</translation>
        </message>
        <message>
            <source>a value cannot be converted</source>
            <translation>値を変換できません</translation>
        </message>
        <message>
            <source>it is too much work</source>
            <translation>計算量が多すぎます</translation>
        </message>
        <message>
            <source>a division by zero</source>
            <translation>ゼロ除算</translation>
        </message>
        <message>
            <source>a list is too short</source>
            <translation>リストが短すぎます</translation>
        </message>
    </context>
    <context>
        <name>Question</name>
        <message>
            <source>Junban</source>
            <translation>Junban</translation>
        </message>
        <message>
            <source>Reason, for the audit (not required)</source>
            <translation>理由（任意、監査ログに残ります）</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>キャンセル</translation>
        </message>
    </context>
    <context>
        <name>SaveDialog</name>
        <message>
            <source>JSON (*.json)</source>
            <translation>JSON (*.json)</translation>
        </message>
        <message>
            <source>MessagePack (*.msgpack)</source>
            <translation>MessagePack (*.msgpack)</translation>
        </message>
    </context>
    <context>
        <name>Schedules</name>
        <message>
            <source>enqueued by hand</source>
            <translation>手動で登録</translation>
        </message>
        <message>
            <source>enqueued</source>
            <translation>登録</translation>
        </message>
        <message>
            <source>refused: %1</source>
            <translation>拒否: %1</translation>
        </message>
        <message>
            <source>once for all of them</source>
            <translation>まとめて 1回</translation>
        </message>
        <message>
            <source>one job for each</source>
            <translation>1回ごとに 1件</translation>
        </message>
        <message>
            <source>none</source>
            <translation>なし</translation>
        </message>
        <message numerus="yes">
            <source>%1; %Ln run(s) before it were missed</source>
            <translation>
                <numerusform>%1（その前に %Ln回の欠落）</numerusform>
            </translation>
        </message>
        <message>
            <source>by hand</source>
            <translation>手動</translation>
        </message>
        <message numerus="yes">
            <source>every %Ln day(s)</source>
            <translation>
                <numerusform>%Ln日ごと</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %Ln hour(s)</source>
            <translation>
                <numerusform>%Ln時間ごと</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %Ln minute(s)</source>
            <translation>
                <numerusform>%Ln分ごと</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %Ln second(s)</source>
            <translation>
                <numerusform>%Ln秒ごと</numerusform>
            </translation>
        </message>
        <message>
            <source>every %1 s</source>
            <translation>%1秒ごと</translation>
        </message>
        <message>
            <source>start another</source>
            <translation>並行して開始</translation>
        </message>
        <message>
            <source>skip the run</source>
            <translation>その回をスキップ</translation>
        </message>
        <message>
            <source>every day</source>
            <translation>毎日</translation>
        </message>
        <message>
            <source>every hour</source>
            <translation>1時間ごと</translation>
        </message>
        <message>
            <source>every minute</source>
            <translation>1分ごと</translation>
        </message>
        <message>
            <source>every second</source>
            <translation>1秒ごと</translation>
        </message>
        <message>
            <source>skipped: the previous run was still going</source>
            <translation>見送り: 前のジョブが終わっていませんでした</translation>
        </message>
        <message>
            <source>missed, not run later</source>
            <translation>欠落（補われません）</translation>
        </message>
        <message>
            <source>cancel the previous run</source>
            <translation>前回の実行を取り消す</translation>
        </message>
    </context>
    <context>
        <name>SecondsField</name>
        <message>
            <source> s</source>
            <comment>seconds, behind a number</comment>
            <translation> 秒</translation>
        </message>
    </context>
    <context>
        <name>StateItems</name>
        <message>
            <source>All jobs are paused</source>
            <translation>すべてのジョブを一時停止中</translation>
        </message>
        <message>
            <source>Paused: %1</source>
            <comment>an expression</comment>
            <translation>一時停止中：%1</translation>
        </message>
        <message>
            <source>until %1</source>
            <translation>%1 まで</translation>
        </message>
        <message>
            <source>since %1 by %2</source>
            <translation>%1 から（%2）</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>再開</translation>
        </message>
        <message numerus="yes">
            <source>%Ln more pause(s)</source>
            <translation>
                <numerusform>ほかに一時停止 %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 (next attempt %2)</source>
            <comment>a breaker's title, a time</comment>
            <translation>%1（次の試行 %2）</translation>
        </message>
        <message>
            <source>A breaker has tripped: %1</source>
            <translation>ブレーカーが遮断中：%1</translation>
        </message>
        <message numerus="yes">
            <source>%Ln breakers have tripped: %1</source>
            <translation>
                <numerusform>ブレーカー %Ln個が遮断中：%1</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 by %2 (%3)</source>
            <comment>jobs, a JobMatcher, a kind of limit</comment>
            <translation>%2（%3）が %1件</translation>
        </message>
        <message>
            <source>Redis uses %1 % of its memory (%2 of %3); at 100 % it refuses new jobs</source>
            <translation>Redis のメモリ使用率 %1%（%2 / %3）。100% で新しいジョブを拒否します</translation>
        </message>
        <message>
            <source>Redis was restarted: no answer for %1, back at %2</source>
            <translation>Redis が再起動：%1 応答なし、%2 に復帰</translation>
        </message>
        <message numerus="yes">
            <source>%Ln ready job(s)</source>
            <translation>
                <numerusform>実行待ち %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>last asked for %1</source>
            <translation>最後に求められたのは %1</translation>
        </message>
        <message>
            <source>never requested</source>
            <translation>求められたことがありません</translation>
        </message>
        <message>
            <source>No worker asks for %1</source>
            <translation>%1 を受け付けるワーカーがいません</translation>
        </message>
        <message numerus="yes">
            <source>%1 and %Ln more name(s)</source>
            <translation>
                <numerusform>%1（ほか %Ln種）</numerusform>
            </translation>
        </message>
        <message>
            <source>A backlog is full: %1</source>
            <translation>待ち行列が満杯：%1</translation>
        </message>
        <message numerus="yes">
            <source>%Ln backlogs are full: %1</source>
            <translation>
                <numerusform>待ち行列 %Ln個が満杯：%1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln stored record(s) cannot be read any more: %1</source>
            <translation>
                <numerusform>読み取れなくなったデータが %Ln 件あります：%1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Rechecking %Ln ready job(s) after the last change</source>
            <translation>
                <numerusform>直前の変更により、実行待ちのジョブ %Ln件を読み直しています</numerusform>
            </translation>
        </message>
        <message>
            <source>Until then they do not count as held. Each is read before it starts.</source>
            <translation>読み直すまでは、保留中として数えられません。どのジョブも、開始する前に必ず読み直されます。</translation>
        </message>
        <message>
            <source>%1: nothing heard since %2</source>
            <comment>a worker, a time</comment>
            <translation>%1：%2 から連絡なし</translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) lost</source>
            <translation>
                <numerusform>行方不明のワーカー %Ln台</numerusform>
            </translation>
        </message>
        <message>
            <source>until resumed</source>
            <translation>再開するまで</translation>
        </message>
        <message>
            <source>Redis was unreachable for %1, back at %2</source>
            <translation>Redis が %1 応答なし、%2 に復帰</translation>
        </message>
        <message>
            <source>no confirmed data lost</source>
            <translation>確認済みのデータの欠落なし</translation>
        </message>
    </context>
    <context>
        <name>Text</name>
        <message>
            <source>, </source>
            <comment>between things of a list</comment>
            <translation>、</translation>
        </message>
    </context>
    <context>
        <name>WindowTexts</name>
        <message>
            <source>every day</source>
            <translation>毎日</translation>
        </message>
        <message>
            <source>%1–%2</source>
            <comment>a range of days</comment>
            <translation>%1～%2</translation>
        </message>
        <message>
            <source>, </source>
            <comment>between days</comment>
            <translation>・</translation>
        </message>
        <message>
            <source>%1 %2–%3, %4</source>
            <comment>days, from, to, time zone</comment>
            <translation>%1 %2～%3（%4）</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::AttemptsModel</name>
        <message>
            <source>running</source>
            <translation>実行中</translation>
        </message>
        <message>
            <source>success</source>
            <translation>成功</translation>
        </message>
        <message>
            <source>failure</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>timeout</source>
            <translation>時間切れ</translation>
        </message>
        <message>
            <source>released</source>
            <translation>返却</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>取消済み</translation>
        </message>
        <message>
            <source>after %1</source>
            <translation>%1後</translation>
        </message>
        <message>
            <source>no, as the worker asked</source>
            <translation>不要（ワーカーの判断）</translation>
        </message>
        <message>
            <source>#</source>
            <comment>number of an attempt</comment>
            <translation>#</translation>
        </message>
        <message>
            <source>Worker</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>Duration</source>
            <translation>所要時間</translation>
        </message>
        <message>
            <source>Message</source>
            <translation>メッセージ</translation>
        </message>
        <message>
            <source>Tried again</source>
            <translation>再試行</translation>
        </message>
        <message>
            <source>Outcome</source>
            <translation>終わり方</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::AuditLogPage</name>
        <message>
            <source>At</source>
            <translation>時刻</translation>
        </message>
        <message>
            <source>Who</source>
            <translation>誰が</translation>
        </message>
        <message>
            <source>From</source>
            <translation>接続元</translation>
        </message>
        <message>
            <source>The caller&apos;s address</source>
            <translation>呼び出し元のアドレス</translation>
        </message>
        <message>
            <source>Action</source>
            <translation>操作</translation>
        </message>
        <message>
            <source>Target</source>
            <translation>対象</translation>
        </message>
        <message>
            <source>Status</source>
            <translation>応答</translation>
        </message>
        <message>
            <source>The status of the answer</source>
            <translation>応答のステータス</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Change</source>
            <translation>変更</translation>
        </message>
        <message>
            <source>Audit</source>
            <translation>監査</translation>
        </message>
        <message>
            <source>&amp;Open the target</source>
            <translation>対象を開く(&amp;O)</translation>
        </message>
        <message>
            <source>&amp;Copy the entry</source>
            <translation>記録をコピー(&amp;C)</translation>
        </message>
        <message>
            <source>Only of this &amp;person or program</source>
            <translation>この人・プログラムだけ(&amp;P)</translation>
        </message>
        <message>
            <source>Only this &amp;action</source>
            <translation>この操作だけ(&amp;A)</translation>
        </message>
        <message>
            <source>Only this &amp;target</source>
            <translation>この対象だけ(&amp;T)</translation>
        </message>
        <message>
            <source>Who: a token&apos;s ID or note</source>
            <translation>誰が：トークンの ID かメモ</translation>
        </message>
        <message>
            <source>All that is kept</source>
            <translation>すべての期間</translation>
        </message>
        <message>
            <source>Last hour</source>
            <translation>直近 1時間</translation>
        </message>
        <message>
            <source>Last 24 hours</source>
            <translation>直近 24時間</translation>
        </message>
        <message>
            <source>Last 7 days</source>
            <translation>直近 7日</translation>
        </message>
        <message>
            <source>Period</source>
            <translation>期間</translation>
        </message>
        <message>
            <source>Enter applies the filter</source>
            <translation>Enter で適用</translation>
        </message>
        <message>
            <source>Field</source>
            <translation>項目</translation>
        </message>
        <message>
            <source>Before</source>
            <translation>変更前</translation>
        </message>
        <message>
            <source>After</source>
            <translation>変更後</translation>
        </message>
        <message>
            <source>What was changed</source>
            <translation>変更の内容</translation>
        </message>
        <message>
            <source>Entry</source>
            <translation>記録</translation>
        </message>
        <message>
            <source>Whole entry</source>
            <translation>記録の全体</translation>
        </message>
        <message>
            <source>The audit could not be read</source>
            <translation>監査の記録を読み込めませんでした</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>再試行</translation>
        </message>
        <message>
            <source>Searching…</source>
            <translation>検索中…</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>No entries for this filter</source>
            <translation>この条件に合う記録はありません</translation>
        </message>
        <message>
            <source>A filter takes whole texts, as entries have them.</source>
            <translation>条件には、記録にあるとおりの文字列全体を指定します。</translation>
        </message>
        <message>
            <source>Clear filter</source>
            <translation>絞り込みを解除</translation>
        </message>
        <message>
            <source>No entries</source>
            <translation>記録はありません</translation>
        </message>
        <message>
            <source>What operators and administrators do is listed here.</source>
            <translation>オペレーターと管理者の操作がここに並びます。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln entries</source>
            <translation>
                <numerusform>%Ln件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln newer, F5 shows them</source>
            <translation>
                <numerusform>新しい記録 %Ln件（F5 で表示）</numerusform>
            </translation>
        </message>
        <message>
            <source>the filter finds older ones</source>
            <translation>これより古い記録は条件で探せます</translation>
        </message>
        <message>
            <source>searching…</source>
            <translation>検索中…</translation>
        </message>
        <message>
            <source>token %1</source>
            <translation>トークン %1</translation>
        </message>
        <message>
            <source>from %1</source>
            <comment>an address</comment>
            <translation>接続元 %1</translation>
        </message>
        <message>
            <source>Reason: %1</source>
            <translation>理由：%1</translation>
        </message>
        <message>
            <source>It was not there</source>
            <translation>ありませんでした</translation>
        </message>
        <message>
            <source>(all)</source>
            <translation>（全体）</translation>
        </message>
        <message>
            <source>The change is not kept</source>
            <translation>変更の内容は保存されていません</translation>
        </message>
        <message>
            <source>No fields were changed</source>
            <translation>変更された項目はありません</translation>
        </message>
        <message>
            <source>The attempt was refused.</source>
            <translation>この操作は拒否されました。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::Banner</name>
        <message>
            <source>Copy details</source>
            <translation>詳細をコピー</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::BucketsView</name>
        <message>
            <source>Key</source>
            <translation>キー</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状態</translation>
        </message>
        <message>
            <source>Used</source>
            <translation>使用</translation>
        </message>
        <message>
            <source>Limit</source>
            <translation>制限</translation>
        </message>
        <message>
            <source>Waiting</source>
            <translation>待機</translation>
        </message>
        <message>
            <source>Observed</source>
            <translation>観察数</translation>
        </message>
        <message>
            <source>Held by</source>
            <translation>保持しているジョブ</translation>
        </message>
        <message>
            <source>Running jobs; Enter opens the first</source>
            <translation>実行中のジョブ。Enter で先頭を開く</translation>
        </message>
        <message>
            <source>Buckets</source>
            <translation>バケット</translation>
        </message>
        <message>
            <source>&amp;Limits for a key…</source>
            <translation>キーごとの制限(&amp;L)…</translation>
        </message>
        <message>
            <source>&amp;Remove its own limits</source>
            <translation>個別の制限を外す(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Trip…</source>
            <translation>遮断(&amp;T)…</translation>
        </message>
        <message>
            <source>Re&amp;set…</source>
            <translation>復帰(&amp;S)…</translation>
        </message>
        <message>
            <source>Set other limits for the chosen key, or for a new one</source>
            <translation>選んだキー、またはまだバケットのないキーに別のパラメーターを設定します</translation>
        </message>
        <message>
            <source>Trip the breaker by hand, for the chosen key or for all: no such job starts for a while</source>
            <translation>選んだキー、またはすべてのキーのブレーカーを手動で遮断します。しばらく該当ジョブは開始しません</translation>
        </message>
        <message>
            <source>Reset the breaker by hand, for the chosen key or for all: jobs start at once</source>
            <translation>選んだキー、またはすべてのキーのブレーカーを手動で復帰させます。ジョブはすぐに開始できます</translation>
        </message>
        <message>
            <source>probing</source>
            <comment>a breaker</comment>
            <translation>試行中</translation>
        </message>
        <message>
            <source>The breaker lets a few probe jobs through</source>
            <translation>ブレーカーは少数のジョブを通して結果を見ています</translation>
        </message>
        <message>
            <source>tripped</source>
            <comment>a breaker</comment>
            <translation>遮断中</translation>
        </message>
        <message>
            <source>has limits of its own</source>
            <translation>独自の制限があります</translation>
        </message>
        <message numerus="yes">
            <source>%Ln bucket(s); there are more</source>
            <translation>
                <numerusform>バケット %Ln件（続きがあります）</numerusform>
            </translation>
        </message>
        <message>
            <source>Select a constraint to see its buckets.</source>
            <translation>制約を選ぶとバケットを表示します。</translation>
        </message>
        <message>
            <source>The buckets could not be read</source>
            <translation>バケットを読み込めませんでした</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a kind and its limit</comment>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>all keys</source>
            <translation>すべてのキー</translation>
        </message>
        <message>
            <source>Its counts are reset, and jobs start at once.</source>
            <translation>これまでの集計は破棄され、ジョブはすぐに開始します。</translation>
        </message>
        <message numerus="yes">
            <source>Tripped for %Ln key(s)</source>
            <translation>
                <numerusform>%Ln件のキーで遮断しました</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Reset for %Ln key(s)</source>
            <translation>
                <numerusform>%Ln件のキーで復帰させました</numerusform>
            </translation>
        </message>
        <message>
            <source>full</source>
            <comment>a backlog</comment>
            <translation>満杯</translation>
        </message>
        <message>
            <source>Opens at</source>
            <translation>再開時刻</translation>
        </message>
        <message>
            <source>open</source>
            <comment>a bucket</comment>
            <translation>空きあり</translation>
        </message>
        <message>
            <source>full</source>
            <comment>a bucket</comment>
            <translation>満杯</translation>
        </message>
        <message>
            <source>No jobs right now</source>
            <translation>現在ジョブはありません</translation>
        </message>
        <message>
            <source>not tripped</source>
            <comment>a breaker</comment>
            <translation>遮断なし</translation>
        </message>
        <message>
            <source>Trip the breaker of “%1” for %2?</source>
            <comment>a JobMatcher and a key</comment>
            <translation>「%1」のブレーカーを %2 について遮断しますか？</translation>
        </message>
        <message>
            <source>None of these jobs starts for %1; then the breaker lets a few through. Running jobs continue.</source>
            <comment>a duration</comment>
            <translation>%1 の間、対象のジョブは開始されません。その後、少数だけ試しに通します。実行中のジョブは続行します。</translation>
        </message>
        <message>
            <source>Reset the breaker of “%1” for %2?</source>
            <comment>a JobMatcher and a key</comment>
            <translation>「%1」のブレーカーを %2 についてリセットしますか？</translation>
        </message>
        <message>
            <source>Trip</source>
            <translation>遮断する</translation>
        </message>
        <message>
            <source>Reset</source>
            <translation>復帰させる</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::BulkWork</name>
        <message>
            <source>Refused: %1</source>
            <translation>拒否されました: %1</translation>
        </message>
        <message>
            <source>Not possible for any of these jobs.</source>
            <translation>この操作ができるジョブはありません。</translation>
        </message>
        <message>
            <source>Counting the jobs…</source>
            <translation>ジョブを数えています…</translation>
        </message>
        <message>
            <source>as fast as possible</source>
            <translation>できるだけ速く</translation>
        </message>
        <message>
            <source> jobs a second</source>
            <comment>behind a number</comment>
            <translation> 件/秒</translation>
        </message>
        <message>
            <source>Pace</source>
            <translation>速さ</translation>
        </message>
        <message>
            <source>They stay in the trash for 24 hours.</source>
            <translation>24時間はゴミ箱に残ります。</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>元に戻す</translation>
        </message>
        <message numerus="yes">
            <source>%Ln more operation(s) under way</source>
            <translation>
                <numerusform>ほかに実行中の一括操作 %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 · by %2</source>
            <comment>the progress of an operation, who began it</comment>
            <translation>%1 · 実行者 %2</translation>
        </message>
        <message>
            <source>Gathering the jobs…</source>
            <translation>ジョブを集めています…</translation>
        </message>
        <message>
            <source>Gathering the jobs: %1 so far</source>
            <translation>ジョブを集めています：現在 %1件</translation>
        </message>
        <message>
            <source>Undo: cancel those not started</source>
            <translation>元に戻す（未開始のものを取り消す）</translation>
        </message>
        <message>
            <source>Only the last %1 cancelled jobs are kept; the rest are removed at once and cannot be retried.</source>
            <translation>取り消したジョブのうち保持されるのは最新の %1件だけです。残りはすぐに削除され、再試行できません。</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>閉じる</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ConflictDialog</name>
        <message>
            <source>none</source>
            <translation>なし</translation>
        </message>
        <message>
            <source>Field</source>
            <translation>相違点</translation>
        </message>
        <message>
            <source>Original</source>
            <translation>編集を始めた時</translation>
        </message>
        <message>
            <source>Now, by %1</source>
            <translation>現在（%1）</translation>
        </message>
        <message>
            <source>Yours</source>
            <translation>あなたの変更</translation>
        </message>
        <message>
            <source>Differences</source>
            <translation>相違点</translation>
        </message>
        <message>
            <source>Changed by someone else</source>
            <translation>ほかの人が変更しました</translation>
        </message>
        <message>
            <source>No differences</source>
            <translation>相違はありません</translation>
        </message>
        <message>
            <source>&amp;Save this</source>
            <translation>これを保存(&amp;S)</translation>
        </message>
        <message>
            <source>All &amp;theirs</source>
            <translation>すべて相手のもの(&amp;T)</translation>
        </message>
        <message>
            <source>All &amp;mine</source>
            <translation>すべて自分のもの(&amp;M)</translation>
        </message>
        <message>
            <source>choose</source>
            <translation>未選択</translation>
        </message>
        <message>
            <source>theirs</source>
            <translation>相手</translation>
        </message>
        <message>
            <source>yours</source>
            <translation>自分</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>採用</translation>
        </message>
        <message>
            <source>Revision %1 was saved at %2 while you were editing. Choose which version to keep, or press T for theirs and M for yours.</source>
            <translation>編集中にリビジョン %1 が %2 に保存されました。残すほうをクリックするか、相手のものは T、自分のものは M を押してください。</translation>
        </message>
        <message>
            <source>Keep editing</source>
            <translation>編集を続ける</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ConstraintForm</name>
        <message>
            <source>One limit for all; or one for each value of, such as: job.argument.region</source>
            <translation>全体で 1つの制限。値ごとに分けるなら、例：job.argument.region</translation>
        </message>
        <message>
            <source>One limit for each value of these expressions, one per line</source>
            <translation>これらの式の値ごと（1行に 1つ）</translation>
        </message>
        <message>
            <source>share one limit</source>
            <translation>1つの制限を共有</translation>
        </message>
        <message>
            <source>Exceptions for single keys, as JSON</source>
            <translation>キーごとの例外（JSON）</translation>
        </message>
        <message>
            <source>For each</source>
            <translation>分ける単位</translation>
        </message>
        <message>
            <source>Jobs without a key</source>
            <translation>キーのないジョブ</translation>
        </message>
        <message>
            <source>Exceptions (JSON)</source>
            <translation>例外 (JSON)</translation>
        </message>
        <message>
            <source>Mode</source>
            <translation>モード</translation>
        </message>
        <message>
            <source>Ends</source>
            <translation>終了</translation>
        </message>
        <message>
            <source>never</source>
            <translation>なし</translation>
        </message>
        <message>
            <source>are skipped</source>
            <translation>対象外にする</translation>
        </message>
        <message>
            <source>Limit ends</source>
            <translation>制限の終了</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ConstraintsPage</name>
        <message>
            <source>&amp;Edit…</source>
            <translation>編集(&amp;E)…</translation>
        </message>
        <message>
            <source>&amp;Delete…</source>
            <translation>削除(&amp;D)…</translation>
        </message>
        <message>
            <source>Key</source>
            <translation>キー</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>元に戻す</translation>
        </message>
        <message>
            <source>no limit</source>
            <translation>制限なし</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <comment>buckets</comment>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>JobMatcher</source>
            <translation>ジョブマッチャー</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>種類</translation>
        </message>
        <message>
            <source>Limit</source>
            <translation>制限</translation>
        </message>
        <message>
            <source>Mode</source>
            <translation>モード</translation>
        </message>
        <message>
            <source>Used</source>
            <translation>使用</translation>
        </message>
        <message>
            <source>Observed</source>
            <translation>観察数</translation>
        </message>
        <message>
            <source>How often it would have held a job if enforced</source>
            <translation>有効ならジョブを保留していた回数</translation>
        </message>
        <message>
            <source>JobMatchers and constraints</source>
            <translation>ジョブマッチャーと制約</translation>
        </message>
        <message>
            <source>&amp;Pause…</source>
            <translation>一時停止(&amp;P)…</translation>
        </message>
        <message>
            <source>Start no more jobs, or none that match</source>
            <translation>すべての、または一致するジョブの開始を止める</translation>
        </message>
        <message>
            <source>&amp;New JobMatcher…</source>
            <translation>新しいジョブマッチャー(&amp;N)…</translation>
        </message>
        <message>
            <source>&amp;Revisions…</source>
            <translation>リビジョン(&amp;R)…</translation>
        </message>
        <message>
            <source>Buckets</source>
            <translation>バケット</translation>
        </message>
        <message>
            <source>Held jobs</source>
            <translation>保留中</translation>
        </message>
        <message>
            <source>Oldest</source>
            <translation>最古</translation>
        </message>
        <message>
            <source>What holds jobs</source>
            <translation>保留の内訳</translation>
        </message>
        <message>
            <source>Expression and note</source>
            <translation>式とメモ</translation>
        </message>
        <message>
            <source>Expression</source>
            <translation>式</translation>
        </message>
        <message>
            <source>The JobMatchers could not be read</source>
            <translation>ジョブマッチャーを読み込めませんでした</translation>
        </message>
        <message>
            <source>No JobMatchers</source>
            <translation>ジョブマッチャーはありません</translation>
        </message>
        <message>
            <source>A JobMatcher is a condition on jobs, such as job.name.startsWith(&quot;mail.&quot;), and limits for the jobs that meet it.</source>
            <translation>ジョブマッチャーは job.name.startsWith("mail.") のようなジョブの条件と、それに一致するジョブへの制限です。</translation>
        </message>
        <message>
            <source>New JobMatcher…</source>
            <translation>新しいジョブマッチャー…</translation>
        </message>
        <message numerus="yes">
            <source>Rechecking %Ln ready job(s) after the last change</source>
            <translation>
                <numerusform>直前の変更により、実行待ちのジョブ %Ln件を読み直しています</numerusform>
            </translation>
        </message>
        <message>
            <source>Revision %1, saved %2 by %3</source>
            <translation>リビジョン %1、%2 に %3 が保存</translation>
        </message>
        <message>
            <source>Incomplete: there is more.</source>
            <translation>調べきれなかったものがあります。</translation>
        </message>
        <message>
            <source>What holds jobs (%1)</source>
            <translation>保留の内訳 (%1)</translation>
        </message>
        <message>
            <source>Paused</source>
            <translation>一時停止しました</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>再開</translation>
        </message>
        <message>
            <source>Revision %1 is active</source>
            <translation>リビジョン %1 が有効になりました</translation>
        </message>
        <message>
            <source>The previous revision is active again</source>
            <translation>前のリビジョンに戻しました</translation>
        </message>
        <message>
            <source>Delete the JobMatcher “%1”?</source>
            <translation>ジョブマッチャー「%1」を削除しますか？</translation>
        </message>
        <message>
            <source>Its limits end at once; held jobs may start.</source>
            <translation>制限はすぐに終わり、保留中のジョブが開始されます。</translation>
        </message>
        <message>
            <source>D&amp;uplicate…</source>
            <translation>複製(&amp;U)…</translation>
        </message>
        <message numerus="yes">
            <source>The first %Ln JobMatcher(s)</source>
            <translation>
                <numerusform>先頭のジョブマッチャー %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>0 of %1</source>
            <comment>buckets</comment>
            <translation>0 / %1</translation>
        </message>
        <message>
            <source>ID: %1</source>
            <translation>ID: %1</translation>
        </message>
        <message>
            <source>full: %1 of %2</source>
            <comment>buckets</comment>
            <translation>満杯 %1 / %2</translation>
        </message>
        <message>
            <source>Opens at</source>
            <translation>再開時刻</translation>
        </message>
        <message>
            <source>Cost of running jobs; of a rate: of jobs started in its period</source>
            <translation>実行中のジョブのコスト。レートの場合は期間内に開始したもののコスト</translation>
        </message>
        <message>
            <source>Applies to (waiting)</source>
            <translation>対象（待機中）</translation>
        </message>
        <message>
            <source>Ready jobs that it applies to, held or not</source>
            <translation>対象となる実行待ちのジョブ（保留の有無を問わない）</translation>
        </message>
        <message>
            <source>Full</source>
            <translation>満杯</translation>
        </message>
        <message>
            <source>Keys at their limit now; of a breaker: tripped keys</source>
            <translation>現在ジョブを開始できないキー。ブレーカーの場合は遮断中のキー</translation>
        </message>
        <message>
            <source>Disa&amp;ble</source>
            <translation>無効にする(&amp;B)</translation>
        </message>
        <message>
            <source>Ena&amp;ble</source>
            <translation>有効にする(&amp;B)</translation>
        </message>
        <message>
            <source>No jobs are held</source>
            <translation>保留中のジョブはありません</translation>
        </message>
        <message>
            <source>No jobs are held by a constraint.</source>
            <translation>制約で保留されているジョブはありません。</translation>
        </message>
        <message>
            <source>disabled</source>
            <translation>無効</translation>
        </message>
        <message>
            <source>Resumed</source>
            <translation>一時停止を解除しました</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <comment>used of a limit</comment>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>%1 · about %2</source>
            <comment>waiting jobs, how long they take</comment>
            <translation>%1・約 %2</translation>
        </message>
        <message>
            <source>Restore revision %1?</source>
            <translation>リビジョン %1 に戻しますか？</translation>
        </message>
        <message>
            <source>Restore</source>
            <translation>戻す</translation>
        </message>
        <message>
            <source>JobMatcher enabled</source>
            <translation>ジョブマッチャーを有効にしました</translation>
        </message>
        <message>
            <source>JobMatcher disabled</source>
            <translation>ジョブマッチャーを無効にしました</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>削除する</translation>
        </message>
        <message>
            <source>JobMatcher deleted</source>
            <translation>ジョブマッチャーを削除しました</translation>
        </message>
        <message>
            <source>JobMatcher restored</source>
            <translation>ジョブマッチャーを復元しました</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::EditDialog</name>
        <message>
            <source>Edit job</source>
            <translation>ジョブの編集</translation>
        </message>
        <message>
            <source>&amp;Start</source>
            <translation>開始(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Save</source>
            <translation>保存(&amp;S)</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::EmptyState</name>
        <message>
            <source>Copy</source>
            <translation>コピー</translation>
        </message>
        <message>
            <source>Copy this command</source>
            <translation>このコマンドをコピー</translation>
        </message>
        <message>
            <source>Copy the command</source>
            <translation>コマンドをコピー</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::EndField</name>
        <message>
            <source>after</source>
            <comment>so long after now</comment>
            <translation>経過後</translation>
        </message>
        <message>
            <source>at (UTC)</source>
            <translation>時刻（UTC）</translation>
        </message>
        <message>
            <source>End</source>
            <translation>終了</translation>
        </message>
        <message>
            <source>How long</source>
            <translation>長さ</translation>
        </message>
        <message>
            <source>minutes</source>
            <translation>分</translation>
        </message>
        <message>
            <source>hours</source>
            <translation>時間</translation>
        </message>
        <message>
            <source>days</source>
            <translation>日</translation>
        </message>
        <message>
            <source>Unit</source>
            <translation>単位</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>時刻</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ErrorView</name>
        <message>
            <source>Error</source>
            <translation>エラー</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>コピー</translation>
        </message>
        <message>
            <source>Wrap lines</source>
            <translation>折り返す</translation>
        </message>
        <message>
            <source>(no message)</source>
            <translation>（メッセージなし）</translation>
        </message>
        <message>
            <source>Caused by: %1</source>
            <translation>原因：%1</translation>
        </message>
        <message>
            <source>The job succeeded.</source>
            <translation>ジョブは成功しました。</translation>
        </message>
        <message>
            <source>The job failed without a message.</source>
            <translation>ジョブはメッセージなしで失敗しました。</translation>
        </message>
        <message>
            <source>No attempt has failed.</source>
            <translation>失敗した試行はありません。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ExplainView</name>
        <message>
            <source>State</source>
            <translation>状態</translation>
        </message>
        <message>
            <source>Due</source>
            <translation>予定</translation>
        </message>
        <message>
            <source>Workers</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>Gate</source>
            <translation>関門</translation>
        </message>
        <message>
            <source>Why</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Gates</source>
            <translation>関門</translation>
        </message>
        <message>
            <source>Too many limits</source>
            <translation>制限が多すぎる</translation>
        </message>
        <message>
            <source>Queue position</source>
            <translation>順番</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a gate and its JobMatcher</comment>
            <translation>%1：%2</translation>
        </message>
        <message>
            <source>for %1</source>
            <comment>a bucket's key</comment>
            <translation>%1</translation>
        </message>
        <message>
            <source>%1 of %2 used</source>
            <translation>%2 中 %1 を使用</translation>
        </message>
        <message>
            <source>limit %1</source>
            <translation>上限 %1</translation>
        </message>
        <message>
            <source>it costs %1</source>
            <translation>コスト %1</translation>
        </message>
        <message numerus="yes">
            <source>%Ln waiting</source>
            <translation>
                <numerusform>待機 %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>first of its kind</source>
            <translation>同種の先頭</translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) are waiting for jobs of this name.</source>
            <translation>
                <numerusform>この名前のジョブを %Ln個のワーカーが待っています。</numerusform>
            </translation>
        </message>
        <message>
            <source>No worker is known to have asked for jobs of this name.</source>
            <translation>この名前のジョブを求めたワーカーは見つかっていません。</translation>
        </message>
        <message>
            <source>No worker has asked for jobs of this name since %1 (%2).</source>
            <comment>a time and how long ago it was</comment>
            <translation>%1 を最後に、この名前のジョブを求めたワーカーはありません（%2前）。</translation>
        </message>
        <message>
            <source>A worker asked for jobs of this name at %1 (%2 ago).</source>
            <comment>a time and how long ago it was</comment>
            <translation>%1 にワーカーがこの名前のジョブを求めました（%2前）。</translation>
        </message>
        <message>
            <source>held by %1</source>
            <translation>保持：%1</translation>
        </message>
        <message>
            <source>The job has ended.</source>
            <translation>ジョブは終了しています。</translation>
        </message>
        <message>
            <source>The gates could not be read: %1</source>
            <translation>関門を読み込めませんでした：%1</translation>
        </message>
        <message>
            <source>The job is running.</source>
            <translation>ジョブは実行中です。</translation>
        </message>
        <message>
            <source>Nothing holds it: the next worker that accepts its name takes it when its turn comes.</source>
            <translation>保留されていません。順番が来ると、この名前を受け取るワーカーが取得します。</translation>
        </message>
        <message>
            <source>Held by: %1</source>
            <translation>保留の原因：%1</translation>
        </message>
        <message>
            <source>No limit holds it. %1</source>
            <comment>a sentence about workers</comment>
            <translation>制限による保留はありません。%1</translation>
        </message>
        <message>
            <source>Starts at %1 at the earliest, in ≈ %2</source>
            <translation>開始は早くて %1（約%2後）</translation>
        </message>
        <message>
            <source>holds it</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>would hold it</source>
            <translation>観察のみ</translation>
        </message>
        <message>
            <source>OK</source>
            <translation>通過</translation>
        </message>
        <message>
            <source>Waits until the jobs it depends on have succeeded.</source>
            <translation>依存するジョブの成功を待っています。</translation>
        </message>
        <message>
            <source>Handed off by its worker; waiting for a message.</source>
            <translation>ワーカーが引き渡し、メッセージを待っています。</translation>
        </message>
        <message>
            <source>last edited %1 by %2</source>
            <comment>a time and a person</comment>
            <translation>最終変更 %1、%2</translation>
        </message>
        <message>
            <source>%1 of %2 waiting</source>
            <translation>%1 / %2件が待機</translation>
        </message>
        <message numerus="yes">
            <source>No limit holds it, but %Ln job(s) like it come before it.</source>
            <translation>
                <numerusform>保留している制限はありませんが、同種のジョブ %Ln件が先です。</numerusform>
            </translation>
        </message>
        <message>
            <source>limit %1 in %2</source>
            <comment>how many, a duration</comment>
            <translation>上限 %2あたり %1</translation>
        </message>
        <message>
            <source>started</source>
            <translation>開始済み</translation>
        </message>
        <message numerus="yes">
            <source>%Ln ready job(s) of a higher priority come first, for workers that accept their names, too.</source>
            <translation>
                <numerusform>ほかの名前も受け付けるワーカーは、優先度の高い実行待ちジョブ %Ln件を先に受け取ります。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>No worker asks for %Ln ready job(s), which may be among these.</source>
            <translation>
                <numerusform>このなかには、受け付けるワーカーがいないジョブ（全部で %Ln件）が含まれることがあります。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln similar job(s) ahead</source>
            <translation>
                <numerusform>前に同種のジョブが %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>opens in less than 1 s</source>
            <translation>1秒以内に再開</translation>
        </message>
        <message>
            <source>opens at %1, in %2</source>
            <translation>%1 に再開（%2後）</translation>
        </message>
        <message>
            <source>This job has ended: nothing holds it</source>
            <translation>このジョブは終了しています。待つ理由はありません</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ExpressionEdit</name>
        <message>
            <source>Expression</source>
            <translation>式</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::FailuresPage</name>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Failures</source>
            <translation>失敗回数</translation>
        </message>
        <message>
            <source>Job</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>Attempts</source>
            <translation>試行</translation>
        </message>
        <message>
            <source>Worker</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>Message</source>
            <translation>メッセージ</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>Refused: %1</source>
            <translation>拒否されました: %1</translation>
        </message>
        <message>
            <source>Cause</source>
            <translation>原因</translation>
        </message>
        <message>
            <source>Last hour</source>
            <translation>直近 1時間</translation>
        </message>
        <message>
            <source>Trend</source>
            <translation>推移</translation>
        </message>
        <message>
            <source>First</source>
            <translation>初回</translation>
        </message>
        <message>
            <source>Last</source>
            <translation>最新</translation>
        </message>
        <message>
            <source>Failed jobs</source>
            <translation>失敗したジョブ</translation>
        </message>
        <message>
            <source>Jobs that are failed now</source>
            <translation>現在「失敗」の状態にあるジョブ</translation>
        </message>
        <message>
            <source>1 h</source>
            <translation>1時間</translation>
        </message>
        <message>
            <source>3 h</source>
            <translation>3時間</translation>
        </message>
        <message>
            <source>24 h</source>
            <translation>24時間</translation>
        </message>
        <message>
            <source>3 d</source>
            <translation>3日</translation>
        </message>
        <message>
            <source>7 d</source>
            <translation>7日</translation>
        </message>
        <message>
            <source>Failures of the last %1</source>
            <translation>過去 %1の失敗</translation>
        </message>
        <message>
            <source>resolved</source>
            <translation>解決済み</translation>
        </message>
        <message>
            <source>muted</source>
            <translation>ミュート中</translation>
        </message>
        <message>
            <source>all states</source>
            <translation>すべての状態</translation>
        </message>
        <message>
            <source>State of the groups</source>
            <translation>グループの状態</translation>
        </message>
        <message>
            <source>Group by</source>
            <translation>まとめ方</translation>
        </message>
        <message>
            <source>cause</source>
            <translation>原因別</translation>
        </message>
        <message>
            <source>name</source>
            <translation>名前別</translation>
        </message>
        <message>
            <source>reason</source>
            <translation>理由別</translation>
        </message>
        <message>
            <source>worker</source>
            <translation>ワーカー別</translation>
        </message>
        <message>
            <source>&amp;Retry…</source>
            <translation>再試行(&amp;R)…</translation>
        </message>
        <message>
            <source>&amp;Show jobs</source>
            <translation>ジョブを表示(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Mute for an hour</source>
            <translation>1時間ミュート(&amp;M)</translation>
        </message>
        <message>
            <source>Mark as reso&amp;lved</source>
            <translation>解決済みにする(&amp;L)</translation>
        </message>
        <message>
            <source>Jobs of this group</source>
            <translation>このグループのジョブ</translation>
        </message>
        <message>
            <source>Share</source>
            <translation>割合</translation>
        </message>
        <message>
            <source>Workers of this group</source>
            <translation>このグループのワーカー</translation>
        </message>
        <message>
            <source>Workers</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>(no message: it took too long)</source>
            <translation>（メッセージなし: 時間切れ）</translation>
        </message>
        <message>
            <source>(no message)</source>
            <translation>（メッセージなし）</translation>
        </message>
        <message>
            <source>Muted until %1</source>
            <translation>%1 までミュート中</translation>
        </message>
        <message numerus="yes">
            <source>%Ln group(s)</source>
            <translation>
                <numerusform>%Lnグループ</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 since it was first seen</source>
            <translation>初回から合計 %1件</translation>
        </message>
        <message>
            <source>Failures in each %1</source>
            <translation>%1ごとの失敗数</translation>
        </message>
        <message>
            <source>The failures could not be read</source>
            <translation>失敗の一覧を読み込めませんでした</translation>
        </message>
        <message>
            <source>No group is %1</source>
            <translation>「%1」のグループはありません</translation>
        </message>
        <message>
            <source>Show all states</source>
            <translation>すべての状態を表示</translation>
        </message>
        <message>
            <source>Nothing failed in %1</source>
            <translation>過去 %1に失敗はありません</translation>
        </message>
        <message>
            <source>Total of the latest groups only</source>
            <translation>最近のグループだけを集計しています</translation>
        </message>
        <message numerus="yes">
            <source>The latest %Ln group(s)</source>
            <translation>
                <numerusform>最新の %Lnグループ</numerusform>
            </translation>
        </message>
        <message>
            <source>Un&amp;mute</source>
            <translation>ミュート解除(&amp;M)</translation>
        </message>
        <message numerus="yes">
            <source>%Ln failure(s)</source>
            <translation>
                <numerusform>失敗 %Ln回</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 of them final</source>
            <translation>うち最終的な失敗 %1件</translation>
        </message>
        <message>
            <source>resolved %1</source>
            <translation>%1に解決</translation>
        </message>
        <message>
            <source>muted until %1</source>
            <translation>%1 までミュート中</translation>
        </message>
        <message>
            <source>The newest %1 of %2</source>
            <translation>%2件中、新しい順に %1件</translation>
        </message>
        <message>
            <source>%1 %</source>
            <comment>percent</comment>
            <translation>%1%</translation>
        </message>
        <message>
            <source>The failed jobs of this group</source>
            <translation>このグループの失敗したジョブ</translation>
        </message>
        <message>
            <source>No group of failures matches</source>
            <translation>一致する失敗グループはありません</translation>
        </message>
        <message>
            <source>Clear filter</source>
            <translation>絞り込みを解除</translation>
        </message>
        <message>
            <source>the order is of %1, F5 sorts again</source>
            <translation>%1 の並び順です。F5 で並べ直します</translation>
        </message>
        <message>
            <source>Name: %1
Cause: %2</source>
            <translation>名前: %1
原因: %2</translation>
        </message>
        <message>
            <source>first seen %1</source>
            <translation>初回 %1</translation>
        </message>
        <message>
            <source>Failed attempts in this period</source>
            <translation>この期間に失敗した試行</translation>
        </message>
        <message>
            <source>Period</source>
            <translation>期間</translation>
        </message>
        <message>
            <source>unresolved</source>
            <translation>未解決</translation>
        </message>
        <message>
            <source>The next failure reopens it</source>
            <translation>次に失敗すると再び未解決になります</translation>
        </message>
        <message>
            <source>No failed jobs left</source>
            <translation>失敗したジョブは残っていません</translation>
        </message>
        <message>
            <source>No known workers</source>
            <translation>ワーカーは不明です</translation>
        </message>
        <message>
            <source>Re&amp;open</source>
            <translation>再び開く(&amp;O)</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a name, a cause</comment>
            <translation>%1：%2</translation>
        </message>
        <message numerus="yes">
            <source>%Ln causes are selected</source>
            <translation>
                <numerusform>%Ln件の原因を選択中</numerusform>
            </translation>
        </message>
        <message>
            <source>These causes have more than %1 failed jobs together. Retry fewer causes at a time.</source>
            <translation>選択した原因の失敗ジョブは合計 %1件を超えています。原因を減らして再試行してください。</translation>
        </message>
        <message numerus="yes">
            <source>and %Ln more cause(s)</source>
            <translation>
                <numerusform>ほか %Ln件の原因</numerusform>
            </translation>
        </message>
        <message>
            <source>failed jobs now: %1</source>
            <translation>現在失敗中のジョブ %1件</translation>
        </message>
        <message>
            <source>Name and reason</source>
            <translation>名前と理由</translation>
        </message>
        <message>
            <source>Hide causes without failed jobs</source>
            <translation>失敗中のジョブがない原因を隠す</translation>
        </message>
        <message numerus="yes">
            <source>%Ln cause(s) without failed jobs now</source>
            <translation>
                <numerusform>現在失敗中のジョブがない原因 %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 failed now</source>
            <comment>jobs</comment>
            <translation>現在 %1件が失敗中</translation>
        </message>
        <message>
            <source>Run the failed jobs again: %1</source>
            <translation>失敗したジョブを再試行：%1件</translation>
        </message>
        <message>
            <source>No failed jobs right now</source>
            <translation>現在失敗中のジョブはありません</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>表示する</translation>
        </message>
        <message>
            <source>Unmuted</source>
            <translation>グループのミュートを解除しました</translation>
        </message>
        <message>
            <source>Muted for an hour</source>
            <translation>1時間ミュートしました</translation>
        </message>
        <message>
            <source>Reopened</source>
            <translation>グループを再び未解決にしました</translation>
        </message>
        <message>
            <source>Marked as resolved</source>
            <translation>解決済みにしました</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::FilterBar</name>
        <message>
            <source>Search: timeout, mail.*, job.priority &gt; 3</source>
            <translation>検索：timeout、mail.*、job.priority &gt; 3</translation>
        </message>
        <message>
            <source>Filter</source>
            <translation>フィルター</translation>
        </message>
        <message>
            <source>Applied &amp;before</source>
            <translation>前に使ったフィルター(&amp;B)</translation>
        </message>
        <message>
            <source>None yet</source>
            <translation>まだありません</translation>
        </message>
        <message>
            <source>Search: timeout, mail.*, job.reason == &quot;timeout&quot;</source>
            <translation>検索：timeout、mail.*、job.reason == "timeout"</translation>
        </message>
        <message>
            <source>Enter ↵</source>
            <comment>the key that applies a filter</comment>
            <translation>Enter ↵</translation>
        </message>
        <message>
            <source>Applied</source>
            <translation>適用されています</translation>
        </message>
        <message>
            <source>Not applied yet: Enter applies it</source>
            <translation>まだ適用していません。Enter で適用します</translation>
        </message>
        <message>
            <source>Automatic</source>
            <translation>自動で判別</translation>
        </message>
        <message>
            <source>Text: every word, anywhere in the job</source>
            <translation>文字列：すべての語をジョブのどこからでも探す</translation>
        </message>
        <message>
            <source>Pattern: * and ? stand for characters of the name</source>
            <translation>パターン：* と ? はジョブ名の文字を表す</translation>
        </message>
        <message>
            <source>Expression of the matcher language</source>
            <translation>式：マッチャー言語の式</translation>
        </message>
        <message>
            <source>How to search</source>
            <translation>入力の解釈</translation>
        </message>
        <message>
            <source>Every word is looked for in the name, message, tags, ID and argument.
&quot;Two words&quot; in quotes are looked for as they are.</source>
            <translation>すべての語を名前、メッセージ、タグ、ID、引数から探します。
"2つの 語" のように引用符で囲むと、そのままの形で探します。</translation>
        </message>
        <message>
            <source>Every word is looked for in the name, the message and the workers.
&quot;Two words&quot; in quotes are looked for as they are.</source>
            <translation>すべての語を名前、メッセージ、ワーカーから探します。
"2つの 語" のように引用符で囲むと、そのままの形で探します。</translation>
        </message>
        <message>
            <source>The expression must be true for the job.</source>
            <translation>式が真になるジョブを探します。</translation>
        </message>
        <message>
            <source>Words are looked for anywhere, mail.* is a pattern of names, job.priority &gt; 3 is an expression.</source>
            <translation>語はどこからでも探します。mail.* は名前のパターン、job.priority &gt; 3 は式です。</translation>
        </message>
        <message>
            <source>Text</source>
            <comment>a search</comment>
            <translation>文字列</translation>
        </message>
        <message>
            <source>Pattern</source>
            <comment>a search</comment>
            <translation>パターン</translation>
        </message>
        <message>
            <source>Expression</source>
            <comment>a search</comment>
            <translation>式</translation>
        </message>
        <message>
            <source>Search</source>
            <comment>a search</comment>
            <translation>検索</translation>
        </message>
        <message>
            <source>The name matches the words with * (any characters) or ? (one character).
Other words are looked for as text.</source>
            <translation>*（任意の文字列）や ?（1文字）を含む語に名前が合うものを探します。
ほかの語は文字列として探します。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::FilterNameDialog</name>
        <message>
            <source>A name is required.</source>
            <translation>名前を入力してください。</translation>
        </message>
        <message>
            <source>Name of the filter</source>
            <translation>フィルターの名前</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>名前を変更</translation>
        </message>
        <message>
            <source>Rename the filter</source>
            <translation>フィルターの名前を変更</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Save the filter</source>
            <translation>フィルターを保存</translation>
        </message>
        <message>
            <source>Saved by %1, %2:
%3

Mine:
%4</source>
            <comment>a person, a time, a filter, a filter</comment>
            <translation>保存：%1、%2
%3

自分のもの：
%4</translation>
        </message>
        <message>
            <source>The name is taken by a filter that cannot be shown.</source>
            <translation>この名前は、表示できないフィルターが使っています。</translation>
        </message>
        <message>
            <source>There is a saved filter “%1” already. Replace it?</source>
            <translation>保存したフィルター「%1」がすでにあります。置き換えますか？</translation>
        </message>
        <message>
            <source>Replace</source>
            <translation>置き換える</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::FormDialog</name>
        <message>
            <source>Discard your changes?</source>
            <translation>入力した内容を破棄しますか？</translation>
        </message>
        <message>
            <source>Discard</source>
            <translation>破棄する</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>キャンセル</translation>
        </message>
        <message>
            <source>Keep editing</source>
            <translation>入力を続ける</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobActions</name>
        <message>
            <source>&amp;Retry</source>
            <translation>再試行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Cancel job</source>
            <translation>取り消す(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Cancel jobs</source>
            <translation>取り消す(&amp;C)</translation>
        </message>
        <message>
            <source>Cancel by &amp;force…</source>
            <translation>強制的に取り消す(&amp;F)…</translation>
        </message>
        <message>
            <source>Copy &amp;ID</source>
            <translation>ID をコピー(&amp;I)</translation>
        </message>
        <message>
            <source>Run the job again (R)</source>
            <translation>ジョブをもう一度実行する (R)</translation>
        </message>
        <message>
            <source>Cancel the job; a running one hears it at its next heartbeat (Delete)</source>
            <translation>ジョブを取り消す。実行中のものには次のハートビートで伝わる (Delete)</translation>
        </message>
        <message>
            <source>Take a running job from its worker at once</source>
            <translation>実行中のジョブをワーカーから直ちに取り上げる</translation>
        </message>
        <message numerus="yes">
            <source>Retry %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブを再試行しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Retry %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を再試行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブを取り消しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Cancel %Ln job(s)</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を取り消す</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Take %Ln running job(s) from their workers?</source>
            <translation>
                <numerusform>実行中の %Ln件のジョブをワーカーから取り上げますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Force %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を強制取り消し</numerusform>
            </translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a state and a count</comment>
            <translation>%1: %2</translation>
        </message>
        <message>
            <source>The workers may continue for a while; their reports will be refused.</source>
            <translation>ワーカーはしばらく動き続けることがありますが、その報告は受け付けられません。</translation>
        </message>
        <message>
            <source>%1 done, %2 refused: %3</source>
            <translation>%1件完了、%2件拒否: %3</translation>
        </message>
        <message>
            <source>Refused: %1</source>
            <translation>拒否されました: %1</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) will run again</source>
            <translation>
                <numerusform>%Ln件のジョブがもう一度実行されます</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) will be told to cancel it</source>
            <translation>
                <numerusform>%Ln件の取り消しをワーカーに伝えます</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) cancelled</source>
            <translation>
                <numerusform>%Ln件のジョブを取り消しました</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) taken from their workers</source>
            <translation>
                <numerusform>%Ln件のジョブをワーカーから取り上げました</numerusform>
            </translation>
        </message>
        <message>
            <source>&amp;Duplicate and edit…</source>
            <translation>複製して編集(&amp;D)…</translation>
        </message>
        <message>
            <source>Enqueue a new job like this one</source>
            <translation>このジョブをもとに新しいジョブを登録</translation>
        </message>
        <message>
            <source>The job could not be read: %1</source>
            <translation>ジョブを読み込めませんでした: %1</translation>
        </message>
        <message>
            <source>&amp;Star</source>
            <translation>スター(&amp;S)</translation>
        </message>
        <message>
            <source>De&amp;lete</source>
            <translation>削除(&amp;L)</translation>
        </message>
        <message>
            <source>A starred job is kept until it is unstarred</source>
            <translation>スターを付けたジョブは、外すまで保持されます</translation>
        </message>
        <message>
            <source>Put the job into the trash; it can be restored for 24 hours (Shift+D)</source>
            <translation>ジョブをゴミ箱に移します。24時間以内なら戻せます (Shift+D)</translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブを削除しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Delete %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を削除</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln job(s)?</source>
            <translation>
                <numerusform>%Ln件のジョブをゴミ箱から戻しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Restore %Ln</source>
            <comment>button</comment>
            <translation>
                <numerusform>%Ln件を戻す</numerusform>
            </translation>
        </message>
        <message>
            <source>They stay in the trash for 24 hours.</source>
            <translation>24時間はゴミ箱に残ります。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) deleted</source>
            <translation>
                <numerusform>%Ln件のジョブを削除しました</numerusform>
            </translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>元に戻す</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) restored</source>
            <translation>
                <numerusform>%Ln件のジョブをゴミ箱から戻しました</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) starred</source>
            <translation>
                <numerusform>%Ln件のジョブにスターを付けました</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) without a star</source>
            <translation>
                <numerusform>%Ln件のジョブのスターを外しました</numerusform>
            </translation>
        </message>
        <message>
            <source>&amp;Edit…</source>
            <translation>編集(&amp;E)…</translation>
        </message>
        <message>
            <source>Change a job that is ready, scheduled or failed (E)</source>
            <translation>待機中・予定・失敗のジョブを変更する (E)</translation>
        </message>
        <message>
            <source>State: %1</source>
            <translation>状態：%1</translation>
        </message>
        <message>
            <source>Name: %1</source>
            <translation>名前：%1</translation>
        </message>
        <message>
            <source>Tag: %1</source>
            <translation>タグ：%1</translation>
        </message>
        <message>
            <source>Filter: %1</source>
            <translation>絞り込み：%1</translation>
        </message>
        <message>
            <source>Undo: cancel</source>
            <translation>元に戻す（取り消す）</translation>
        </message>
        <message>
            <source>Undo: run again</source>
            <translation>元に戻す（再び実行する）</translation>
        </message>
        <message>
            <source>Show the hidden values of this job?</source>
            <translation>このジョブの隠された値を表示しますか？</translation>
        </message>
        <message>
            <source>The form has its whole argument. Viewing it is logged.</source>
            <translation>フォームには引数全体が表示されます。表示したことは記録されます。</translation>
        </message>
        <message>
            <source>%1: %2, skipped</source>
            <comment>a state and a count</comment>
            <translation>%1: %2（対象外）</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>閉じる</translation>
        </message>
        <message numerus="yes">
            <source>%1 has run %Ln time(s).</source>
            <comment>a job's name</comment>
            <translation>
                <numerusform>%1 は %Ln 回実行されました。</numerusform>
            </translation>
        </message>
        <message>
            <source>Run this job again?</source>
            <translation>このジョブをもう一度実行しますか？</translation>
        </message>
        <message>
            <source>Retry</source>
            <translation>再試行</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>表示する</translation>
        </message>
        <message>
            <source>Job enqueued</source>
            <translation>ジョブを登録しました</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>開く</translation>
        </message>
        <message>
            <source>Job changed</source>
            <translation>ジョブを変更しました</translation>
        </message>
        <message>
            <source>Edit undone</source>
            <translation>ジョブを元に戻しました</translation>
        </message>
        <message>
            <source>Res&amp;tore from the trash</source>
            <translation>ゴミ箱から戻す(&amp;T)</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobColumns</name>
        <message>
            <source>Reset columns</source>
            <translation>列を初期状態に戻す</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobDialog</name>
        <message>
            <source>Duplicate job</source>
            <translation>ジョブの複製</translation>
        </message>
        <message>
            <source>New job</source>
            <translation>新しいジョブ</translation>
        </message>
        <message>
            <source>&amp;Start</source>
            <translation>開始(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Enqueue</source>
            <translation>登録(&amp;E)</translation>
        </message>
        <message>
            <source>The job itself stays as it is; a new one is enqueued.</source>
            <translation>元のジョブはそのまま残り、新しいジョブが登録されます。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobFields</name>
        <message>
            <source>ID</source>
            <translation>ID</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Priority</source>
            <translation>優先度</translation>
        </message>
        <message>
            <source>Attempts</source>
            <translation>試行</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>Failures</source>
            <translation>失敗回数</translation>
        </message>
        <message>
            <source>Timeout</source>
            <translation>制限時間</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>結果</translation>
        </message>
        <message>
            <source>kept for %1</source>
            <translation>%1 保管</translation>
        </message>
        <message>
            <source>not kept</source>
            <translation>保管しない</translation>
        </message>
        <message>
            <source>Retry delay</source>
            <translation>再試行の間隔</translation>
        </message>
        <message>
            <source>%1, times %2 each time, at most %3</source>
            <translation>%1 から毎回 %2倍、最大 %3</translation>
        </message>
        <message>
            <source>Tags</source>
            <translation>タグ</translation>
        </message>
        <message>
            <source>Argument size</source>
            <translation>引数の大きさ</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Pusher&apos;s token</source>
            <translation>プッシャーのトークン</translation>
        </message>
        <message>
            <source>Trace</source>
            <translation>トレース</translation>
        </message>
        <message>
            <source>Enqueued</source>
            <translation>登録</translation>
        </message>
        <message>
            <source>Next run</source>
            <translation>次回</translation>
        </message>
        <message>
            <source>Expires</source>
            <translation>期限</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>Finished</source>
            <translation>終了</translation>
        </message>
        <message>
            <source>Worker</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>Lease ends</source>
            <translation>リース期限</translation>
        </message>
        <message>
            <source>Deadline</source>
            <translation>実行期限</translation>
        </message>
        <message>
            <source>Releases</source>
            <translation>返却回数</translation>
        </message>
        <message>
            <source>Deleted</source>
            <translation>削除日時</translation>
        </message>
        <message>
            <source>the argument</source>
            <translation>引数</translation>
        </message>
        <message>
            <source>until it starts</source>
            <translation>開始まで</translation>
        </message>
        <message>
            <source>until it ends</source>
            <translation>終了まで</translation>
        </message>
        <message>
            <source>another one joins this one</source>
            <translation>重複した登録にはこのジョブを返す</translation>
        </message>
        <message>
            <source>another one is refused</source>
            <translation>重複した登録は拒否</translation>
        </message>
        <message>
            <source>another one takes its place</source>
            <translation>重複した登録で置き換え</translation>
        </message>
        <message>
            <source>Unique key</source>
            <translation>一意キー</translation>
        </message>
        <message>
            <source>%1, %2; %3</source>
            <comment>key, until when, what becomes of another</comment>
            <translation>%1（%2、%3）</translation>
        </message>
        <message>
            <source>Runs only</source>
            <translation>実行時間帯</translation>
        </message>
        <message>
            <source>Expires in</source>
            <translation>有効期限</translation>
        </message>
        <message>
            <source>%1 after the enqueue, unless it has started</source>
            <translation>登録から%1以内に開始しなければ失敗</translation>
        </message>
        <message>
            <source>it fails</source>
            <translation>失敗にする</translation>
        </message>
        <message>
            <source>it is cancelled</source>
            <translation>取り消す</translation>
        </message>
        <message>
            <source>it still runs</source>
            <translation>それでも実行する</translation>
        </message>
        <message>
            <source>Dependencies</source>
            <translation>依存</translation>
        </message>
        <message>
            <source>%1 of %2 have succeeded; if one does not: %3</source>
            <translation>%2件中%1件が成功。成功しないものがあれば：%3</translation>
        </message>
        <message>
            <source>Then</source>
            <translation>後続ジョブ</translation>
        </message>
        <message>
            <source>%1 (enqueued when it succeeds)</source>
            <translation>%1（成功時に登録）</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s)</source>
            <comment>of a group</comment>
            <translation>
                <numerusform>%Ln件のジョブ</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 not ended</source>
            <translation>未終了 %1</translation>
        </message>
        <message>
            <source>%1 succeeded</source>
            <translation>成功 %1</translation>
        </message>
        <message>
            <source>%1 failed</source>
            <translation>失敗 %1</translation>
        </message>
        <message>
            <source>%1 cancelled</source>
            <translation>取り消し %1</translation>
        </message>
        <message>
            <source>more may come</source>
            <translation>さらに追加できる</translation>
        </message>
        <message>
            <source>a job is enqueued at its end</source>
            <translation>終了時にジョブを登録</translation>
        </message>
        <message>
            <source>Group</source>
            <translation>グループ</translation>
        </message>
        <message>
            <source>Depends on %1</source>
            <translation>依存先 %1</translation>
        </message>
        <message>
            <source>Its group&apos;s last job %1</source>
            <translation>グループの最終ジョブ %1</translation>
        </message>
        <message>
            <source>its last job was refused: %1</source>
            <translation>最後のジョブは登録を拒否されました：%1</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobForm</name>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Tags</source>
            <translation>タグ</translation>
        </message>
        <message>
            <source>&amp;Keep the result for the pusher</source>
            <translation>プッシャーのために結果を保持する(&amp;K)</translation>
        </message>
        <message>
            <source>Smaller numbers run first</source>
            <translation>小さいほど先に実行されます</translation>
        </message>
        <message>
            <source>How many times a failed job is tried again</source>
            <translation>試行が失敗したときに再試行する回数</translation>
        </message>
        <message>
            <source>Time limit of one attempt</source>
            <translation>1回の試行の上限時間</translation>
        </message>
        <message>
            <source>&amp;Name</source>
            <translation>名前(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Argument (JSON)</source>
            <translation>引数 (JSON)(&amp;A)</translation>
        </message>
        <message>
            <source>&amp;Priority</source>
            <translation>優先度(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;Retries</source>
            <translation>再試行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Timeout</source>
            <translation>タイムアウト(&amp;T)</translation>
        </message>
        <message>
            <source>Ta&amp;gs</source>
            <translation>タグ(&amp;G)</translation>
        </message>
        <message>
            <source>Argument as JSON</source>
            <translation>JSON 形式の引数</translation>
        </message>
        <message>
            <source>Comma-separated</source>
            <translation>カンマ区切りの語</translation>
        </message>
        <message>
            <source>Name of the jobs, such as mail.send</source>
            <translation>ジョブの種類（例: mail.send）</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobHistory</name>
        <message>
            <source>Attempt</source>
            <translation>試行</translation>
        </message>
        <message>
            <source>now</source>
            <translation>今</translation>
        </message>
        <message>
            <source>Event</source>
            <translation>できごと</translation>
        </message>
        <message>
            <source>At</source>
            <translation>時刻</translation>
        </message>
        <message>
            <source>After</source>
            <translation>経過</translation>
        </message>
        <message>
            <source>Since the previous event</source>
            <translation>下の行からの経過時間</translation>
        </message>
        <message>
            <source>By</source>
            <translation>実行者</translation>
        </message>
        <message>
            <source>History</source>
            <translation>履歴</translation>
        </message>
        <message>
            <source>No history</source>
            <translation>履歴はありません</translation>
        </message>
        <message>
            <source>again after %1</source>
            <translation>%1後に再試行</translation>
        </message>
        <message>
            <source>progress: %1 %</source>
            <comment>in percent</comment>
            <translation>進捗：%1%</translation>
        </message>
        <message>
            <source>Details</source>
            <translation>詳細</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobInspector</name>
        <message>
            <source>last failure: %1</source>
            <translation>前回の失敗: %1</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>進捗</translation>
        </message>
        <message>
            <source>Attempts</source>
            <translation>試行</translation>
        </message>
        <message>
            <source>Argument</source>
            <translation>引数</translation>
        </message>
        <message>
            <source>Outcome</source>
            <translation>終わり方</translation>
        </message>
        <message>
            <source>Fields</source>
            <translation>項目</translation>
        </message>
        <message>
            <source>Copy the job&apos;s ID</source>
            <translation>ジョブの ID をコピー</translation>
        </message>
        <message>
            <source>No job selected</source>
            <translation>ジョブが選択されていません</translation>
        </message>
        <message>
            <source>Select a job to look into it.</source>
            <translation>ジョブを選ぶと詳細を表示します。</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>%1
Finished jobs are kept for a while and then removed.</source>
            <translation>%1
終了したジョブは一定期間の後に削除されます。</translation>
        </message>
        <message>
            <source>The job could not be read</source>
            <translation>ジョブを読み込めませんでした</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>もう一度試す</translation>
        </message>
        <message>
            <source>Attempts (%1)</source>
            <translation>試行 (%1)</translation>
        </message>
        <message>
            <source>The argument is %1 long and was left out.</source>
            <translation>引数は %1 あるため省かれています。</translation>
        </message>
        <message>
            <source>%1, cancel asked</source>
            <translation>%1（取消要求中）</translation>
        </message>
        <message>
            <source>runs at %1</source>
            <translation>%1 に実行</translation>
        </message>
        <message>
            <source>on %1</source>
            <translation>ワーカー %1</translation>
        </message>
        <message>
            <source>The job has not finished.</source>
            <translation>ジョブはまだ終了していません。</translation>
        </message>
        <message>
            <source>The result could not be read just now.</source>
            <translation>結果を読み込めませんでした。</translation>
        </message>
        <message>
            <source>The result was collected, or it expired.</source>
            <translation>結果は受け取り済みか、期限が切れています。</translation>
        </message>
        <message>
            <source>The pusher did not ask for the result to be kept.</source>
            <translation>プッシャーは結果の保管を求めていません。</translation>
        </message>
        <message>
            <source>More to do with this job</source>
            <translation>このジョブのその他の操作</translation>
        </message>
        <message>
            <source>Star the job</source>
            <translation>ジョブにスターを付ける</translation>
        </message>
        <message>
            <source>in the trash since %1</source>
            <translation>%1 からゴミ箱</translation>
        </message>
        <message>
            <source>no longer kept</source>
            <translation>保存期間が終わりました</translation>
        </message>
        <message>
            <source>History</source>
            <translation>履歴</translation>
        </message>
        <message>
            <source>Edit the job</source>
            <translation>ジョブを編集</translation>
        </message>
        <message>
            <source>Why not running</source>
            <translation>実行されない理由</translation>
        </message>
        <message>
            <source>Refused: %1</source>
            <translation>拒否されました: %1</translation>
        </message>
        <message>
            <source>Reveal hidden values</source>
            <translation>隠された値を表示</translation>
        </message>
        <message>
            <source>Show hidden values of this job. Viewing them is logged.</source>
            <translation>このジョブの隠された値を表示します。閲覧は記録されます。</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>a name, an ID</comment>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>Reveal…</source>
            <translation>隠された値を表示…</translation>
        </message>
        <message>
            <source>Show the hidden values of this job?</source>
            <translation>このジョブの隠された値を表示しますか？</translation>
        </message>
        <message>
            <source>Error</source>
            <translation>エラー</translation>
        </message>
        <message>
            <source>Viewing them is logged.</source>
            <translation>表示したことは記録されます。</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>表示する</translation>
        </message>
        <message>
            <source>Job not found</source>
            <translation>該当するジョブはありません</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobTableModel</name>
        <message>
            <source>State</source>
            <translation>状態</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Priority</source>
            <translation>優先度</translation>
        </message>
        <message>
            <source>Attempt</source>
            <translation>試行</translation>
        </message>
        <message>
            <source>Age</source>
            <translation>経過</translation>
        </message>
        <message>
            <source>Next run</source>
            <translation>次の実行</translation>
        </message>
        <message>
            <source>Worker</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>Duration</source>
            <translation>所要時間</translation>
        </message>
        <message>
            <source>Last failure</source>
            <translation>最後の失敗</translation>
        </message>
        <message>
            <source>Argument</source>
            <translation>引数</translation>
        </message>
        <message>
            <source>Tags</source>
            <translation>タグ</translation>
        </message>
        <message>
            <source>Failures</source>
            <translation>失敗回数</translation>
        </message>
        <message>
            <source>Timeout</source>
            <translation>制限時間</translation>
        </message>
        <message>
            <source>Argument size</source>
            <translation>引数の大きさ</translation>
        </message>
        <message>
            <source>Enqueued</source>
            <translation>登録</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>Finished</source>
            <translation>終了</translation>
        </message>
        <message>
            <source>ID</source>
            <translation>ID</translation>
        </message>
        <message>
            <source>cancelling</source>
            <comment>the state of a job that runs and was asked to stop</comment>
            <translation>取消要求中</translation>
        </message>
        <message>
            <source>%1 %2 %</source>
            <comment>a state and how much is done</comment>
            <translation>%1 %2%</translation>
        </message>
        <message>
            <source>in %1</source>
            <translation>%1後</translation>
        </message>
        <message>
            <source>now</source>
            <translation>今</translation>
        </message>
        <message>
            <source>%1, open the job to see it</source>
            <translation>%1（ジョブを開くと表示）</translation>
        </message>
        <message>
            <source>%1: %2, attempt %3 of %4, enqueued %5 ago</source>
            <translation>%1: %2、試行 %3 / %4、登録から %5</translation>
        </message>
        <message>
            <source>%1 (no longer in this list)</source>
            <translation>%1（もうこの一覧にありません）</translation>
        </message>
        <message>
            <source>Held by</source>
            <translation>保留の原因</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Click to reverse the order</source>
            <translation>クリックすると逆順に並べます</translation>
        </message>
        <message>
            <source>The master keeps these jobs in the order of “%1” only</source>
            <translation>マスターはこれらのジョブを「%1」の順でのみ保持しています</translation>
        </message>
        <message>
            <source>The master keeps running jobs in the order in which their leases expire</source>
            <translation>マスターは実行中のジョブをリースの期限順に保持しています</translation>
        </message>
        <message>
            <source>The master keeps these jobs in the order in which they came</source>
            <translation>マスターはこれらのジョブを到着順に保持しています</translation>
        </message>
        <message>
            <source>Jobs of all states cannot be sorted together: choose the tab of one state</source>
            <translation>すべての状態のジョブをまとめて並べ替えることはできません。状態のタブを選んでください</translation>
        </message>
        <message>
            <source>%1, held</source>
            <comment>a state</comment>
            <translation>%1（保留）</translation>
        </message>
        <message>
            <source>too many constraints</source>
            <translation>制約が多すぎます</translation>
        </message>
        <message>
            <source>%1 for %2</source>
            <comment>a limit and the key it is for</comment>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>%1, again in %2</source>
            <comment>a limit and a duration</comment>
            <translation>%1、あと %2 で通過再開</translation>
        </message>
        <message>
            <source>%1, held by %2</source>
            <comment>a job and a limit</comment>
            <translation>%1、%2 により保留</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::JobsPage</name>
        <message>
            <source>Searching…</source>
            <translation>検索中…</translation>
        </message>
        <message>
            <source>None found so far</source>
            <translation>これまでのところ見つかっていません</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状態</translation>
        </message>
        <message>
            <source>All</source>
            <translation>すべて</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Only jobs with this name</source>
            <translation>この名前のジョブだけ</translation>
        </message>
        <message>
            <source>Tag</source>
            <translation>タグ</translation>
        </message>
        <message>
            <source>Only jobs with this tag</source>
            <translation>このタグのジョブだけ</translation>
        </message>
        <message>
            <source>Only jobs with exactly this tag</source>
            <translation>タグが完全に一致するジョブだけ</translation>
        </message>
        <message>
            <source>Clear filter</source>
            <translation>絞り込みを解除</translation>
        </message>
        <message>
            <source>Freeze</source>
            <translation>固定</translation>
        </message>
        <message>
            <source>Stop updating the table (Space)</source>
            <translation>表を固定する (Space)</translation>
        </message>
        <message>
            <source>Refresh</source>
            <translation>更新</translation>
        </message>
        <message>
            <source>Refresh and go live (F5)</source>
            <translation>更新してライブ表示に戻す (F5)</translation>
        </message>
        <message>
            <source>Jobs</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>a state and its count</comment>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>frozen at %1</source>
            <translation>%1 で固定</translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln行</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 in all</source>
            <translation>全 %1件</translation>
        </message>
        <message>
            <source>searched %1 of %2</source>
            <translation>%2件中 %1件を検索</translation>
        </message>
        <message>
            <source>narrow the filter to see others</source>
            <translation>ほかを見るには絞り込んでください</translation>
        </message>
        <message>
            <source>Frozen – go live</source>
            <translation>固定中 – ライブに戻す</translation>
        </message>
        <message>
            <source>Search on</source>
            <translation>続けて検索</translation>
        </message>
        <message>
            <source>No job is in the state “%1”</source>
            <translation>%1のジョブはありません</translation>
        </message>
        <message>
            <source>No jobs</source>
            <translation>ジョブはありません</translation>
        </message>
        <message>
            <source>The jobs could not be read</source>
            <translation>ジョブを読み込めませんでした</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>もう一度試す</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>with a name like “%1”</source>
            <translation>名前のパターン「%1」</translation>
        </message>
        <message>
            <source>with the name “%1”</source>
            <translation>名前「%1」</translation>
        </message>
        <message>
            <source>with the tag “%1”</source>
            <translation>タグ「%1」</translation>
        </message>
        <message>
            <source>Searched %1 of %2 so far.</source>
            <translation>ここまでに %2件中 %1件を検索しました。</translation>
        </message>
        <message>
            <source>Starred</source>
            <translation>スター</translation>
        </message>
        <message>
            <source>Trash</source>
            <translation>ゴミ箱</translation>
        </message>
        <message>
            <source>No job is starred</source>
            <translation>スターを付けたジョブはありません</translation>
        </message>
        <message>
            <source>The trash is empty</source>
            <translation>ゴミ箱は空です</translation>
        </message>
        <message>
            <source>Starred jobs are easy to find and are never removed.</source>
            <translation>スターを付けると、見失わず、自動で削除されることもありません。</translation>
        </message>
        <message>
            <source>Deleted jobs stay here for 24 hours.</source>
            <translation>削除したジョブは 24時間ここに残ります。</translation>
        </message>
        <message>
            <source>%1 failed with: %2</source>
            <comment>a name, a cause</comment>
            <translation>%1 の失敗：%2</translation>
        </message>
        <message>
            <source>loaded from %1 to %2, not updated since</source>
            <translation>%1 から %2 に読み込み、以後は更新なし</translation>
        </message>
        <message>
            <source>Go live</source>
            <translation>ライブに戻す</translation>
        </message>
        <message>
            <source>searched at %1</source>
            <translation>%1 に検索</translation>
        </message>
        <message>
            <source>searched from %1 to %2</source>
            <translation>%1 から %2 にかけて検索</translation>
        </message>
        <message>
            <source>Search progress</source>
            <translation>検索の進み具合</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>中止</translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s) are selected</source>
            <translation>
                <numerusform>%Ln行を選択しています</numerusform>
            </translation>
        </message>
        <message>
            <source>%1; a retry runs all %2 of this cause</source>
            <translation>%1。再試行はこの原因の %2件すべてを実行します</translation>
        </message>
        <message>
            <source>All jobs that match are selected, also those that are not loaded</source>
            <translation>読み込んでいないものも含め、一致するすべてのジョブを選択しています</translation>
        </message>
        <message>
            <source>All %1 jobs of this list are selected, also those that are not loaded</source>
            <translation>読み込んでいないものも含め、この一覧の %1件すべてを選択しています</translation>
        </message>
        <message>
            <source>Only the selected rows</source>
            <translation>選択した行だけ</translation>
        </message>
        <message>
            <source>Select all that match</source>
            <translation>一致するすべてを選択</translation>
        </message>
        <message>
            <source>Select all %1</source>
            <translation>%1件すべてを選択</translation>
        </message>
        <message>
            <source>By its argument</source>
            <translation>引数で絞り込む</translation>
        </message>
        <message>
            <source>loaded at %1, not updated since</source>
            <translation>%1 に読み込み、以後は更新なし</translation>
        </message>
        <message>
            <source>tabs counted at %1</source>
            <translation>タブの件数は %1 時点</translation>
        </message>
        <message>
            <source>all %1 searched</source>
            <translation>%1件すべてを検索済み</translation>
        </message>
        <message>
            <source>Only jobs with exactly this name; mail.* finds all names that begin with mail.</source>
            <translation>この名前のジョブだけ。mail.* なら mail. で始まるすべての名前</translation>
        </message>
        <message>
            <source>Search in all states</source>
            <translation>すべての状態で検索</translation>
        </message>
        <message>
            <source>Only: %1</source>
            <translation>%1のみ</translation>
        </message>
        <message>
            <source>with “%1” in the name, message, tags, ID or argument</source>
            <translation>名前、メッセージ、タグ、ID、引数のどれかに「%1」を含む</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) match in other states.</source>
            <translation>
                <numerusform>ほかの状態で %Ln 件が一致します。</numerusform>
            </translation>
        </message>
        <message>
            <source>No jobs match</source>
            <translation>フィルターに合うジョブはありません</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::MadeTokenDialog</name>
        <message>
            <source>&amp;Copy the token</source>
            <translation>トークンをコピー(&amp;C)</translation>
        </message>
        <message>
            <source>I have &amp;saved it</source>
            <translation>保存しました(&amp;S)</translation>
        </message>
        <message>
            <source>The token “%1”</source>
            <translation>トークン「%1」</translation>
        </message>
        <message>
            <source>Text of the token</source>
            <translation>トークンの文字列</translation>
        </message>
        <message>
            <source>This window uses it from now on, until it is closed. To start with it again, use --token-file.</source>
            <translation>この画面は、閉じるまでこのトークンを使います。次に起動するときは --token-file で指定してください。</translation>
        </message>
        <message>
            <source>This is the token. It is shown only once: save it now, for example in a password manager.</source>
            <translation>これがトークンの文字列です。表示は今回だけです。パスワード管理ツールなどに今すぐ保存してください。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::MainWindow</name>
        <message>
            <source>Junban – %1</source>
            <translation>Junban – %1</translation>
        </message>
        <message>
            <source>Screens</source>
            <translation>画面</translation>
        </message>
        <message>
            <source>Overview</source>
            <translation>概要</translation>
        </message>
        <message>
            <source>Jobs</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>%1 (Ctrl+%2)</source>
            <comment>a screen and its key</comment>
            <translation>%1 (Ctrl+%2)</translation>
        </message>
        <message>
            <source>Inspector</source>
            <translation>インスペクター</translation>
        </message>
        <message>
            <source>Freshness</source>
            <translation>最新度</translation>
        </message>
        <message>
            <source>Redis</source>
            <translation>Redis</translation>
        </message>
        <message>
            <source>Address of the master</source>
            <translation>マスターのアドレス</translation>
        </message>
        <message>
            <source>Role</source>
            <translation>ロール</translation>
        </message>
        <message>
            <source>Reason for changes</source>
            <translation>変更の理由</translation>
        </message>
        <message>
            <source>Reason: %1</source>
            <translation>理由: %1</translation>
        </message>
        <message>
            <source>This process, %1</source>
            <translation>このプロセス、%1</translation>
        </message>
        <message>
            <source>with a token</source>
            <translation>トークンあり</translation>
        </message>
        <message>
            <source>without a token</source>
            <translation>トークンなし</translation>
        </message>
        <message>
            <source>The master does not answer: %1</source>
            <translation>マスターが応答しません: %1</translation>
        </message>
        <message>
            <source>The master does not accept this token. It says: %1</source>
            <translation>マスターはこのトークンを受け付けません。マスターの応答: %1</translation>
        </message>
        <message>
            <source>The master needs a token. It says: %1</source>
            <translation>マスターにはトークンが必要です。マスターの応答: %1</translation>
        </message>
        <message>
            <source>Enter a token</source>
            <translation>トークンを入力</translation>
        </message>
        <message>
            <source>A browser cannot open the documentation over a unix socket.</source>
            <translation>UNIX ソケット経由では、ブラウザーでドキュメントを開けません。</translation>
        </message>
        <message>
            <source>This master was started with --insecure: what is sent can be read on the way, and callers of the network need no token while there is none.</source>
            <translation>このマスターは --insecure で起動されています。通信内容は途中で読まれる可能性があり、トークンが一つもない間はネットワークの誰でもトークンなしで呼び出せます。</translation>
        </message>
        <message>
            <source>This token may not look at jobs.</source>
            <translation>このトークンではジョブを閲覧できません。</translation>
        </message>
        <message>
            <source>The master can&apos;t reach Redis: %1</source>
            <translation>マスターから Redis に接続できません: %1</translation>
        </message>
        <message>
            <source>Next try in %1 s.</source>
            <translation>%1秒後に再試行します。</translation>
        </message>
        <message>
            <source>Trying…</source>
            <translation>試行中…</translation>
        </message>
        <message>
            <source>Connecting to %1</source>
            <translation>%1 に接続しています</translation>
        </message>
        <message>
            <source>No connection to %1</source>
            <translation>%1 に接続できません</translation>
        </message>
        <message>
            <source>Try now</source>
            <translation>今すぐ試す</translation>
        </message>
        <message>
            <source>No updates since %1; showing the last known data.</source>
            <translation>%1 から更新がありません。表示は最後に得た内容です。</translation>
        </message>
        <message>
            <source>not connected</source>
            <translation>未接続</translation>
        </message>
        <message>
            <source>stale, last update %1</source>
            <translation>更新停止、最終更新 %1</translation>
        </message>
        <message>
            <source>frozen at %1</source>
            <translation>%1 で固定</translation>
        </message>
        <message>
            <source>live %1</source>
            <translation>ライブ %1</translation>
        </message>
        <message>
            <source>Redis: unknown</source>
            <translation>Redis: 不明</translation>
        </message>
        <message>
            <source>%1, --behind-tls: TLS ends before the master</source>
            <translation>%1、--behind-tls: TLS はマスターの手前で終わります</translation>
        </message>
        <message>
            <source>Redis: ready, answer in %1</source>
            <translation>Redis: 正常、応答 %1</translation>
        </message>
        <message>
            <source>Redis: not ready</source>
            <translation>Redis: 利用不可</translation>
        </message>
        <message>
            <source>&amp;File</source>
            <translation>ファイル(&amp;F)</translation>
        </message>
        <message>
            <source>Se&amp;ttings…</source>
            <translation>設定(&amp;T)…</translation>
        </message>
        <message>
            <source>&amp;Reason for changes…</source>
            <translation>変更の理由(&amp;R)…</translation>
        </message>
        <message>
            <source>&amp;Quit</source>
            <translation>終了(&amp;Q)</translation>
        </message>
        <message>
            <source>&amp;View</source>
            <translation>表示(&amp;V)</translation>
        </message>
        <message>
            <source>&amp;Overview</source>
            <translation>概要(&amp;O)</translation>
        </message>
        <message>
            <source>&amp;Jobs</source>
            <translation>ジョブ(&amp;J)</translation>
        </message>
        <message>
            <source>&amp;Filter</source>
            <translation>絞り込み(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Go to job…</source>
            <translation>ジョブへ移動(&amp;G)…</translation>
        </message>
        <message>
            <source>&amp;Refresh and go live</source>
            <translation>更新してライブ表示(&amp;R)</translation>
        </message>
        <message>
            <source>Free&amp;ze the table</source>
            <translation>表を固定(&amp;Z)</translation>
        </message>
        <message>
            <source>&amp;Inspector</source>
            <translation>インスペクター(&amp;I)</translation>
        </message>
        <message>
            <source>&amp;Appearance</source>
            <translation>外観(&amp;A)</translation>
        </message>
        <message>
            <source>&amp;Light</source>
            <translation>ライト(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Dark</source>
            <translation>ダーク(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Open in the inspector</source>
            <translation>インスペクターで開く(&amp;O)</translation>
        </message>
        <message>
            <source>&amp;Help</source>
            <translation>ヘルプ(&amp;H)</translation>
        </message>
        <message>
            <source>&amp;Keys</source>
            <translation>キー操作(&amp;K)</translation>
        </message>
        <message>
            <source>&amp;API documentation</source>
            <translation>API ドキュメント(&amp;A)</translation>
        </message>
        <message>
            <source>Go to job</source>
            <translation>ジョブへ移動</translation>
        </message>
        <message>
            <source>ID of the job</source>
            <translation>ジョブの ID</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>終了</translation>
        </message>
        <message numerus="yes">
            <source>Stop the master? %Ln job(s) are running.</source>
            <translation>
                <numerusform>マスターを停止しますか？ 実行中のジョブが %Ln件あります。</numerusform>
            </translation>
        </message>
        <message>
            <source>No job is lost. Workers can report again when a master runs again, as long as their leases last.</source>
            <translation>ジョブは失われません。リースの期限内にマスターが再び動けば、ワーカーは報告できます。</translation>
        </message>
        <message>
            <source>Stop the master</source>
            <translation>マスターを停止</translation>
        </message>
        <message>
            <source>all roles</source>
            <translation>すべてのロール</translation>
        </message>
        <message>
            <source>&amp;New job…</source>
            <translation>新しいジョブ(&amp;N)…</translation>
        </message>
        <message>
            <source>Schedules</source>
            <translation>スケジュール</translation>
        </message>
        <message>
            <source>S&amp;chedules</source>
            <translation>スケジュール(&amp;C)</translation>
        </message>
        <message>
            <source>New sc&amp;hedule…</source>
            <translation>新しいスケジュール(&amp;H)…</translation>
        </message>
        <message>
            <source>Failures</source>
            <translation>失敗の原因</translation>
        </message>
        <message>
            <source>Results</source>
            <translation>結果</translation>
        </message>
        <message>
            <source>Res&amp;ults</source>
            <translation>結果(&amp;U)</translation>
        </message>
        <message>
            <source>Acknowledge</source>
            <translation>確認しました</translation>
        </message>
        <message numerus="yes">
            <source>At %1 Redis came back without %Ln or more confirmed change(s).</source>
            <translation>
                <numerusform>%1、Redis は応答済みの内容より古い状態で復帰しました。少なくとも %Ln件の変更が失われています。</numerusform>
            </translation>
        </message>
        <message>
            <source>Jobs accepted or reported just before may be missing or may run again.</source>
            <translation>その直前に受け付けた登録や報告が失われている可能性があり、その頃のジョブは再び実行されることがあります。</translation>
        </message>
        <message>
            <source>Constraints</source>
            <translation>制約</translation>
        </message>
        <message>
            <source>Co&amp;nstraints</source>
            <translation>制約(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Constraints</source>
            <translation>制約(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;New JobMatcher…</source>
            <translation>新しいジョブマッチャー(&amp;N)…</translation>
        </message>
        <message>
            <source>&amp;Pause…</source>
            <translation>一時停止(&amp;P)…</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>中止</translation>
        </message>
        <message>
            <source>not updated since %1</source>
            <translation>%1 から更新なし</translation>
        </message>
        <message>
            <source>searched at %1</source>
            <translation>%1 に検索</translation>
        </message>
        <message>
            <source>Stop the master?</source>
            <translation>マスターを停止しますか？</translation>
        </message>
        <message>
            <source>Without a window, the master keeps serving at %1; “junban --connect %1” opens a window again, and “kill %2” stops it.</source>
            <translation>ウィンドウなしでも %1 で動作を続けます。「junban --connect %1」でウィンドウを再び開き、「kill %2」で停止します。</translation>
        </message>
        <message>
            <source>Keep serving without a window</source>
            <translation>ウィンドウなしで続ける</translation>
        </message>
        <message>
            <source>Keep the window</source>
            <translation>ウィンドウに戻る</translation>
        </message>
        <message>
            <source>No answer comes: the master or its Redis hangs.</source>
            <translation>応答がありません。マスターまたは Redis が止まっています。</translation>
        </message>
        <message>
            <source>&amp;Workers</source>
            <translation>ワーカー(&amp;W)</translation>
        </message>
        <message>
            <source>O&amp;perations</source>
            <translation>一括操作(&amp;P)</translation>
        </message>
        <message>
            <source>Worker: %1</source>
            <translation>ワーカー: %1</translation>
        </message>
        <message>
            <source>Workers</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>Operations</source>
            <translation>一括操作</translation>
        </message>
        <message>
            <source>Nothing keeps jobs from running</source>
            <translation>ジョブの実行を妨げるものはありません</translation>
        </message>
        <message>
            <source>&amp;Why not running</source>
            <translation>実行されない理由(&amp;W)</translation>
        </message>
        <message>
            <source>&amp;Undo</source>
            <translation>元に戻す(&amp;U)</translation>
        </message>
        <message>
            <source>Nothing is paused.</source>
            <translation>一時停止されているものはありません。</translation>
        </message>
        <message>
            <source>Resu&amp;me a pause</source>
            <translation>一時停止を解除(&amp;M)</translation>
        </message>
        <message numerus="yes">
            <source>%Ln failed job(s)</source>
            <translation>
                <numerusform>失敗したジョブ %Ln件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) held</source>
            <translation>
                <numerusform>保留中のジョブ %Ln件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) that have not ended</source>
            <translation>
                <numerusform>未終了のジョブ %Ln件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln result(s) kept</source>
            <translation>
                <numerusform>保管中の結果 %Ln件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln under way</source>
            <translation>
                <numerusform>進行中 %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>&amp;Manual</source>
            <translation>マニュアル(&amp;M)</translation>
        </message>
        <message>
            <source>This window has no screen “%1”.</source>
            <translation>この画面には「%1」という表示がありません。</translation>
        </message>
        <message>
            <source>A browser cannot open a link to a unix socket.</source>
            <translation>Unix ソケットへのリンクはブラウザーで開けません。</translation>
        </message>
        <message>
            <source>Audit</source>
            <translation>監査</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <comment>a person and what it may do</comment>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>Copy lin&amp;k</source>
            <translation>リンクをコピー(&amp;K)</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>トークン</translation>
        </message>
        <message>
            <source>New to&amp;ken…</source>
            <translation>新しいトークン(&amp;K)…</translation>
        </message>
        <message>
            <source>Sign &amp;out everywhere…</source>
            <translation>すべての端末からサインアウト(&amp;O)…</translation>
        </message>
        <message>
            <source>&amp;Tokens</source>
            <translation>トークン(&amp;T)</translation>
        </message>
        <message>
            <source>Sign out everywhere?</source>
            <translation>すべての端末からサインアウトしますか？</translation>
        </message>
        <message>
            <source>All browsers that signed in with the token of this window are signed out, on every device. The token itself stays, and this window goes on.</source>
            <translation>この画面のトークンでサインインしたブラウザーが、どの端末でもすべてサインアウトします。トークン自体は残り、この画面も使い続けられます。</translation>
        </message>
        <message>
            <source>Sign out everywhere</source>
            <translation>すべてサインアウト</translation>
        </message>
        <message>
            <source>Retention</source>
            <translation>保持期間</translation>
        </message>
        <message>
            <source>&amp;System default</source>
            <translation>システムに合わせる(&amp;S)</translation>
        </message>
        <message>
            <source>Link copied. It opens in a browser, or with “junban --open”.</source>
            <translation>リンクをコピーしました。ブラウザーか「junban --open」で開けます。</translation>
        </message>
        <message>
            <source>All browsers are signed out.</source>
            <translation>すべてのブラウザーからサインアウトしました。</translation>
        </message>
        <message>
            <source>That is not a job ID.</source>
            <translation>ジョブの ID ではありません。</translation>
        </message>
        <message>
            <source>Fai&amp;lures</source>
            <translation>失敗の原因(&amp;L)</translation>
        </message>
        <message>
            <source>Au&amp;dit</source>
            <translation>監査(&amp;D)</translation>
        </message>
        <message>
            <source>R&amp;etention</source>
            <translation>保持期間(&amp;E)</translation>
        </message>
        <message>
            <source>Co&amp;mmand…</source>
            <translation>コマンド(&amp;M)…</translation>
        </message>
        <message>
            <source>Reset la&amp;yout</source>
            <translation>配置を初期状態に戻す(&amp;Y)</translation>
        </message>
        <message>
            <source>Compact row&amp;s</source>
            <translation>行間を詰める(&amp;S)</translation>
        </message>
        <message>
            <source>A&amp;bout Junban</source>
            <translation>Junban について(&amp;B)</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::MatcherDialog</name>
        <message>
            <source>Looking at the jobs…</source>
            <translation>ジョブを調べています…</translation>
        </message>
        <message>
            <source>Display name</source>
            <translation>表示名</translation>
        </message>
        <message>
            <source>&amp;ID</source>
            <translation>&amp;ID</translation>
        </message>
        <message>
            <source>&amp;Save</source>
            <translation>保存(&amp;S)</translation>
        </message>
        <message>
            <source>JobMatcher %1, revision %2</source>
            <translation>ジョブマッチャー %1、リビジョン %2</translation>
        </message>
        <message>
            <source>New JobMatcher</source>
            <translation>新しいジョブマッチャー</translation>
        </message>
        <message>
            <source>Name in the API, such as mail-vendor</source>
            <translation>API での名前（例：mail-vendor）</translation>
        </message>
        <message>
            <source>Ena&amp;bled</source>
            <translation>使用する(&amp;W)</translation>
        </message>
        <message>
            <source>If several set fields or turns, the highest rank wins</source>
            <translation>項目の上書きや公平な順番が重なるときは最も高い順位が優先されます</translation>
        </message>
        <message>
            <source>Fields to mask, such as argument.card.number</source>
            <translation>値を隠す場所（例: argument.card.number）</translation>
        </message>
        <message>
            <source>IDs of constraints or JobMatchers that don&apos;t apply to these jobs</source>
            <translation>対象外とする制約またはジョブマッチャーの ID</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>メモ</translation>
        </message>
        <message>
            <source>Title</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Rank</source>
            <translation>順位</translation>
        </message>
        <message>
            <source>Exempts</source>
            <translation>免除</translation>
        </message>
        <message>
            <source>E&amp;xpression</source>
            <translation>式(&amp;X)</translation>
        </message>
        <message>
            <source>&amp;Note</source>
            <translation>メモ(&amp;N)</translation>
        </message>
        <message>
            <source>Constraints</source>
            <translation>制約</translation>
        </message>
        <message>
            <source>Without constraints, nothing is limited.</source>
            <translation>制約がなければ何も制限しません。</translation>
        </message>
        <message>
            <source>&amp;Add</source>
            <translation>追加(&amp;A)</translation>
        </message>
        <message>
            <source>&amp;Remove</source>
            <translation>除去(&amp;R)</translation>
        </message>
        <message>
            <source>Write an expression to see which jobs it matches.</source>
            <translation>式を書くと、一致するジョブを表示します。</translation>
        </message>
        <message>
            <source>Takes effect at once (Ctrl+Enter)</source>
            <translation>保存するとすぐに有効になります (Ctrl+Enter)</translation>
        </message>
        <message>
            <source>Save, &amp;observe only</source>
            <translation>観察のみで保存(&amp;O)</translation>
        </message>
        <message>
            <source>Counts the jobs that its constraints would hold, and holds none (Ctrl+Shift+Enter)</source>
            <translation>保留せず、保留するはずだった数だけを数えます (Ctrl+Shift+Enter)</translation>
        </message>
        <message>
            <source>Ctrl+Space suggests; F8 goes to the next problem.</source>
            <translation>Ctrl+Space で候補を表示、F8 で次の問題へ。</translation>
        </message>
        <message>
            <source>Valid</source>
            <translation>正しい式です</translation>
        </message>
        <message>
            <source>Invalid</source>
            <translation>誤りがあります</translation>
        </message>
        <message>
            <source>A JobMatcher needs an ID.</source>
            <translation>ジョブマッチャーには ID が必要です。</translation>
        </message>
        <message>
            <source>There is a JobMatcher with this ID already.</source>
            <translation>この ID のジョブマッチャーは既にあります。</translation>
        </message>
        <message>
            <source>Someone else deleted this JobMatcher meanwhile.</source>
            <translation>ほかの人がこのジョブマッチャーを削除しました。</translation>
        </message>
        <message>
            <source>No preview: %1</source>
            <translation>プレビューできません：%1</translation>
        </message>
        <message>
            <source>Stop all of these jobs from starting?</source>
            <translation>該当ジョブをすべて開始させないようにしますか？</translation>
        </message>
        <message>
            <source>A limit of 0 holds all of them until you raise it, like a pause.</source>
            <translation>上限 0 は、引き上げるまで一時停止と同じくすべてを待たせます。</translation>
        </message>
        <message>
            <source>Masked fields</source>
            <translation>隠す項目</translation>
        </message>
        <message>
            <source>Preview</source>
            <translation>プレビュー</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存する</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::MoreRows</name>
        <message>
            <source>More</source>
            <translation>詳細</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::NamesModel</name>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Ready</source>
            <translation>実行待ち</translation>
        </message>
        <message>
            <source>Enqueued</source>
            <translation>登録</translation>
        </message>
        <message>
            <source>Succeeded</source>
            <translation>成功</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>%1 · paused: %2</source>
            <comment>a name, a reason</comment>
            <translation>%1 · 一時停止中：%2</translation>
        </message>
        <message>
            <source>Jobs that are ready now</source>
            <translation>現在の実行待ちジョブ</translation>
        </message>
        <message>
            <source>%1 or more</source>
            <comment>a number</comment>
            <translation>%1 以上</translation>
        </message>
        <message>
            <source>Jobs that are failed now</source>
            <translation>現在「失敗」の状態にあるジョブ</translation>
        </message>
        <message>
            <source>All jobs ever enqueued</source>
            <translation>これまでに登録された全ジョブ</translation>
        </message>
        <message>
            <source>All jobs that ever succeeded</source>
            <translation>これまでに成功した全ジョブ</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::NewTokenDialog</name>
        <message>
            <source>never</source>
            <translation>なし</translation>
        </message>
        <message>
            <source>New token</source>
            <translation>新しいトークン</translation>
        </message>
        <message>
            <source>It is the first one: from then on every caller needs a token. It must be an administrator&apos;s, for all jobs; it makes the others.</source>
            <translation>最初のトークンです。作成すると、すべての呼び出しにトークンが必要になります。すべてのジョブを対象とする管理者のトークンにしてください。ほかのトークンはこれで作ります。</translation>
        </message>
        <message>
            <source>What it is for</source>
            <translation>用途</translation>
        </message>
        <message>
            <source>Names, with a star at their end or whole, comma-separated</source>
            <translation>名前（末尾に * を付けるか、全体）をコンマ区切りで</translation>
        </message>
        <message>
            <source>Expression that must be true of the job</source>
            <translation>ジョブが満たすべき式</translation>
        </message>
        <message>
            <source>&amp;Note</source>
            <translation>メモ(&amp;N)</translation>
        </message>
        <message>
            <source>Roles</source>
            <translation>ロール</translation>
        </message>
        <message>
            <source>&amp;Ends</source>
            <translation>有効期限(&amp;E)</translation>
        </message>
        <message>
            <source>Only for some jobs</source>
            <translation>一部のジョブだけ</translation>
        </message>
        <message>
            <source>Na&amp;mes</source>
            <translation>名前(&amp;M)</translation>
        </message>
        <message>
            <source>E&amp;xpression</source>
            <translation>式(&amp;X)</translation>
        </message>
        <message>
            <source>%1 – %2</source>
            <comment>a role, what it may do</comment>
            <translation>%1 – %2</translation>
        </message>
        <message>
            <source>What may it do? Choose a role.</source>
            <translation>何を許可しますか？ロールを選んでください。</translation>
        </message>
        <message>
            <source>&amp;Create the token</source>
            <translation>トークンを作成(&amp;M)</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::OperationsPage</name>
        <message>
            <source>Operation</source>
            <translation>一括操作</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状態</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>進捗</translation>
        </message>
        <message>
            <source>Done</source>
            <translation>完了</translation>
        </message>
        <message>
            <source>Skipped jobs</source>
            <translation>そのままにしたジョブ</translation>
        </message>
        <message>
            <source>Pace</source>
            <translation>速さ</translation>
        </message>
        <message>
            <source>Started</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>Took</source>
            <translation>所要時間</translation>
        </message>
        <message>
            <source>By</source>
            <translation>実行者</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Operations</source>
            <translation>一括操作</translation>
        </message>
        <message>
            <source>&amp;Pause</source>
            <translation>一時停止(&amp;P)</translation>
        </message>
        <message>
            <source>Re&amp;sume</source>
            <translation>再開(&amp;S)</translation>
        </message>
        <message>
            <source>S&amp;top</source>
            <translation>停止(&amp;T)</translation>
        </message>
        <message>
            <source>&amp;Undo</source>
            <translation>元に戻す(&amp;U)</translation>
        </message>
        <message>
            <source>Changes so far remain</source>
            <translation>済んだ分はそのままです</translation>
        </message>
        <message>
            <source>Job</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>Why it was skipped</source>
            <translation>対象外の理由</translation>
        </message>
        <message>
            <source>No jobs skipped</source>
            <translation>対象外になったジョブはありません</translation>
        </message>
        <message>
            <source>The first %1 of %2</source>
            <translation>%2件のうち先頭の %1件</translation>
        </message>
        <message>
            <source>%1 %</source>
            <comment>percent</comment>
            <translation>%1%</translation>
        </message>
        <message>
            <source>The operations could not be read</source>
            <translation>一括操作を読めませんでした</translation>
        </message>
        <message>
            <source>No operation yet</source>
            <translation>一括操作はまだありません</translation>
        </message>
        <message>
            <source>Bulk actions, such as retrying all failed jobs, are listed here for a day.</source>
            <translation>失敗したジョブをすべて再試行するなど、多数のジョブへの操作は 1日間ここに表示されます。</translation>
        </message>
        <message>
            <source>prepared %1</source>
            <translation>準備 %1</translation>
        </message>
        <message>
            <source>ended %1</source>
            <translation>終了 %1</translation>
        </message>
        <message>
            <source>by %1</source>
            <translation>実行者 %1</translation>
        </message>
        <message>
            <source>No jobs skipped so far</source>
            <translation>処理した範囲では、変更されなかったジョブはありません</translation>
        </message>
        <message>
            <source>No jobs changed</source>
            <translation>変更したジョブがありません</translation>
        </message>
        <message>
            <source>Stop it first, or wait until it has ended</source>
            <translation>先に中止するか、終わるまで待ってください</translation>
        </message>
        <message>
            <source>Cancelled jobs do not return to their place; a retry runs them again</source>
            <translation>取り消したジョブは元の位置には戻りません。再試行すると再び実行されます</translation>
        </message>
        <message>
            <source>Jobs</source>
            <translation>対象のジョブ</translation>
        </message>
        <message>
            <source>The jobs it acts on</source>
            <translation>どのジョブに対する操作か</translation>
        </message>
        <message>
            <source>A new operation cancels its jobs that have not started since</source>
            <translation>そのうちまだ開始していないジョブを、別の一括操作で取り消します</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>State now</source>
            <translation>現在の状態</translation>
        </message>
        <message>
            <source>Jobs of the operation</source>
            <translation>一括操作の対象のジョブ</translation>
        </message>
        <message>
            <source>Its jobs</source>
            <translation>対象のジョブ</translation>
        </message>
        <message>
            <source>in the trash</source>
            <translation>ゴミ箱の中</translation>
        </message>
        <message>
            <source>undone</source>
            <translation>元に戻された</translation>
        </message>
        <message>
            <source>undone: %1 of %2</source>
            <comment>jobs</comment>
            <translation>元に戻した：%2件中 %1件</translation>
        </message>
        <message>
            <source>A new operation reverses this one where possible</source>
            <translation>この操作がしたことを、別の一括操作で可能な限り元に戻します</translation>
        </message>
        <message>
            <source>This action cannot be undone</source>
            <translation>この操作は元に戻せません</translation>
        </message>
        <message>
            <source>Already undone</source>
            <translation>すでに元に戻しています</translation>
        </message>
        <message>
            <source>This is an undo</source>
            <translation>別の操作を元に戻すための操作です</translation>
        </message>
        <message>
            <source>Undo has started</source>
            <translation>元に戻す操作を開始しました</translation>
        </message>
        <message>
            <source>None of its first jobs are kept</source>
            <translation>先頭のジョブはもう保持されていません</translation>
        </message>
        <message>
            <source>None of its jobs are kept</source>
            <translation>対象のジョブはもう保持されていません</translation>
        </message>
        <message>
            <source>The first %1 of %2, without removed ones</source>
            <translation>先頭 %1件のうち保持中のもの（全 %2件）</translation>
        </message>
        <message>
            <source>Skipped</source>
            <translation>対象外</translation>
        </message>
        <message>
            <source>Operation paused</source>
            <translation>一括操作を一時停止しました</translation>
        </message>
        <message>
            <source>Operation resumed</source>
            <translation>一括操作を再開しました</translation>
        </message>
        <message>
            <source>Operation stopped</source>
            <translation>一括操作を停止しました</translation>
        </message>
        <message>
            <source>Undo “%1”?</source>
            <comment>an operation</comment>
            <translation>「%1」を元に戻しますか？</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>元に戻す</translation>
        </message>
        <message>
            <source>All its jobs have started since</source>
            <translation>対象のジョブはすべて開始されました</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::OverrideDialog</name>
        <message>
            <source>Limits for a key of %1</source>
            <translation>%1 のキーの制限</translation>
        </message>
        <message>
            <source>Fields that you don&apos;t change follow the constraint.</source>
            <translation>変更しない項目は引き続き制約に従います。</translation>
        </message>
        <message>
            <source>&amp;Key</source>
            <translation>キー(&amp;K)</translation>
        </message>
        <message>
            <source>&amp;Save</source>
            <translation>保存(&amp;S)</translation>
        </message>
        <message>
            <source>Which key?</source>
            <translation>キーを入力してください。</translation>
        </message>
        <message>
            <source>The key has these limits already.</source>
            <translation>現在の制限と同じです。</translation>
        </message>
        <message>
            <source>Someone else changed the JobMatcher meanwhile. Close this form to see the current version.</source>
            <translation>その間にほかの人がジョブマッチャーを変更しました。このフォームを閉じると現在の内容を確認できます。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::OverviewPage</name>
        <message>
            <source>No jobs yet</source>
            <translation>ジョブはまだありません</translation>
        </message>
        <message>
            <source>Connect a pusher. A first job is one request away:</source>
            <translation>プッシャーをつないでください。最初のジョブは一つの要求で登録できます:</translation>
        </message>
        <message>
            <source>Open the API documentation</source>
            <translation>API ドキュメントを開く</translation>
        </message>
        <message>
            <source>results kept</source>
            <translation>保管中の結果</translation>
        </message>
        <message>
            <source>Results waiting for their pushers</source>
            <translation>プッシャーの受け取りを待つ結果</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>スループット</translation>
        </message>
        <message>
            <source>Show the last %1</source>
            <translation>直近 %1 を表示</translation>
        </message>
        <message>
            <source>Names</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>oldest %1</source>
            <translation>最古 %1</translation>
        </message>
        <message>
            <source>%1 started</source>
            <translation>開始 %1</translation>
        </message>
        <message>
            <source>%1 failures</source>
            <translation>失敗 %1</translation>
        </message>
        <message>
            <source>5 min</source>
            <translation>5分</translation>
        </message>
        <message>
            <source>1 h</source>
            <translation>1時間</translation>
        </message>
        <message>
            <source>3 h</source>
            <translation>3時間</translation>
        </message>
        <message>
            <source>24 h</source>
            <translation>24時間</translation>
        </message>
        <message>
            <source>8 days</source>
            <translation>8日</translation>
        </message>
        <message>
            <source>Why jobs wait</source>
            <translation>ジョブが待つ理由</translation>
        </message>
        <message>
            <source>Limits in use</source>
            <translation>使用中の制限</translation>
        </message>
        <message>
            <source>Failures of the last hour</source>
            <translation>直近 1時間の失敗</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>Refused: %1</source>
            <translation>拒否されました: %1</translation>
        </message>
        <message>
            <source>Nothing failed in the last hour.</source>
            <translation>直近 1時間に失敗はありません。</translation>
        </message>
        <message>
            <source>Oldest by priority</source>
            <translation>優先度ごとの最古</translation>
        </message>
        <message>
            <source>Workers</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>All names</source>
            <translation>すべての名前</translation>
        </message>
        <message>
            <source>The chart shows the selected name. Enter shows its jobs.</source>
            <translation>グラフは選択した名前のものです。Enter でそのジョブを表示します。</translation>
        </message>
        <message>
            <source>Show the &amp;jobs of %1</source>
            <comment>a name</comment>
            <translation>%1 のジョブを表示(&amp;J)</translation>
        </message>
        <message>
            <source>&amp;Resume %1</source>
            <comment>a name</comment>
            <translation>%1 を再開(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Pause %1…</source>
            <comment>a name</comment>
            <translation>%1 を一時停止(&amp;P)…</translation>
        </message>
        <message numerus="yes">
            <source>%Ln name(s): ready and failed now, and totals</source>
            <translation>
                <numerusform>%Ln個の名前：現在の実行待ちと失敗、累計</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>The first %Ln name(s): ready and failed now, and totals</source>
            <translation>
                <numerusform>最初の %Ln個の名前：現在の実行待ちと失敗、累計</numerusform>
            </translation>
        </message>
        <message>
            <source>No jobs waiting.</source>
            <translation>待機中のジョブはありません。</translation>
        </message>
        <message>
            <source>No ready jobs.</source>
            <translation>実行待ちのジョブはありません。</translation>
        </message>
        <message>
            <source>No limits in use.</source>
            <translation>使用中の制限はありません。</translation>
        </message>
        <message>
            <source>No workers yet.</source>
            <translation>ワーカーはまだありません。</translation>
        </message>
        <message>
            <source>&amp;From … to …</source>
            <translation>期間を指定(&amp;F)…</translation>
        </message>
        <message>
            <source>&amp;Logarithmic axis</source>
            <translation>対数目盛(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Yesterday</source>
            <translation>昨日(&amp;Y)</translation>
        </message>
        <message>
            <source>More of the chart</source>
            <translation>グラフのその他の設定</translation>
        </message>
        <message>
            <source>Range</source>
            <translation>指定期間</translation>
        </message>
        <message>
            <source>Yesterday</source>
            <translation>昨日</translation>
        </message>
        <message>
            <source>Yesterday, any range, the kind of axis</source>
            <translation>昨日、任意の期間、目盛の種類</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::Page</name>
        <message>
            <source>%1, in %2</source>
            <comment>a time and a duration</comment>
            <translation>%1（あと %2）</translation>
        </message>
        <message>
            <source>%1 ago</source>
            <comment>a duration</comment>
            <translation>%1前</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>もう一度試す</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>Someone else changed it meanwhile; nothing was done.</source>
            <translation>ほかの人が変更したため、何もしませんでした。</translation>
        </message>
        <message>
            <source>Refused: %1</source>
            <translation>拒否されました: %1</translation>
        </message>
        <message>
            <source>%1, now</source>
            <comment>a time that has come</comment>
            <translation>%1（今）</translation>
        </message>
        <message>
            <source>now</source>
            <translation>まもなく</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PaletteDialog</name>
        <message>
            <source>Looking for this ID: %1 of %2 jobs searched</source>
            <translation>この ID を検索中: ジョブ %2件中 %1件</translation>
        </message>
        <message>
            <source>Commands</source>
            <translation>コマンド</translation>
        </message>
        <message>
            <source>Open the job %1</source>
            <translation>ジョブ %1 を開く</translation>
        </message>
        <message>
            <source>%1   (%2)</source>
            <comment>a command and its key</comment>
            <translation>%1   (%2)</translation>
        </message>
        <message>
            <source>Show the jobs named “%1”</source>
            <translation>名前「%1」のジョブを表示</translation>
        </message>
        <message>
            <source>Jobs: %1</source>
            <comment>a name</comment>
            <translation>ジョブ: %1</translation>
        </message>
        <message>
            <source>JobMatcher: %1</source>
            <translation>ジョブマッチャー: %1</translation>
        </message>
        <message>
            <source>Schedule: %1</source>
            <translation>スケジュール: %1</translation>
        </message>
        <message>
            <source>Saved filter: %1</source>
            <translation>保存したフィルター: %1</translation>
        </message>
        <message>
            <source>Job %1: %2</source>
            <comment>an ID, a name</comment>
            <translation>ジョブ %1: %2</translation>
        </message>
        <message numerus="yes">
            <source>Type a part of a name, of the title or ID of a JobMatcher or a schedule, of a worker, of an operation or its reason, or at least %Ln character(s) of a job&apos;s ID. Enter opens what is selected.</source>
            <translation>
                <numerusform>名前、ジョブマッチャーやスケジュールの題名や ID、ワーカー、一括操作やその理由の一部、またはジョブ ID の %Ln文字以上を入力します。Enter で選択したものを開きます。</numerusform>
            </translation>
        </message>
        <message>
            <source>A command, a screen, a name, a title, a worker, an operation, or a part of a job&apos;s ID</source>
            <translation>コマンド、画面、名前、題名、ワーカー、一括操作、ジョブ ID の一部</translation>
        </message>
        <message>
            <source>Worker: %1</source>
            <translation>ワーカー: %1</translation>
        </message>
        <message>
            <source>Operation: %1, %2</source>
            <comment>what it does, a state</comment>
            <translation>一括操作: %1、%2</translation>
        </message>
        <message numerus="yes">
            <source>%Ln more: type on to see them</source>
            <comment>of what was found</comment>
            <translation>
                <numerusform>ほか %Ln件：続けて入力すると絞り込めます</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ParameterForm</name>
        <message>
            <source>Tripped for at most</source>
            <translation>最長の遮断時間</translation>
        </message>
        <message>
            <source>Jobs</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>Time zone</source>
            <translation>タイムゾーン</translation>
        </message>
        <message>
            <source>after</source>
            <translation>一定時間後</translation>
        </message>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>Priority</source>
            <translation>優先度</translation>
        </message>
        <message>
            <source>Timeout</source>
            <translation>制限時間</translation>
        </message>
        <message>
            <source>smooth (GCRA)</source>
            <translation>平準化 (GCRA)</translation>
        </message>
        <message>
            <source>sliding window</source>
            <translation>スライディング区間</translation>
        </message>
        <message>
            <source>fixed windows</source>
            <translation>固定区間</translation>
        </message>
        <message>
            <source>1, or an expression such as job.argument.pages</source>
            <translation>1、または job.argument.pages のような式</translation>
        </message>
        <message>
            <source>per</source>
            <translation>期間</translation>
        </message>
        <message>
            <source>Burst</source>
            <translation>バースト</translation>
        </message>
        <message>
            <source>Cost of a job</source>
            <translation>ジョブのコスト</translation>
        </message>
        <message>
            <source>Running at most</source>
            <translation>同時実行数</translation>
        </message>
        <message>
            <source>Reserve for a costly job</source>
            <translation>高コストのジョブに枠を確保</translation>
        </message>
        <message>
            <source> %</source>
            <comment>percent, behind a number</comment>
            <translation> %</translation>
        </message>
        <message>
            <source>Failure rate that trips it</source>
            <translation>遮断する失敗率</translation>
        </message>
        <message>
            <source>within</source>
            <translation>集計期間</translation>
        </message>
        <message>
            <source>Minimum jobs</source>
            <translation>最小の件数</translation>
        </message>
        <message>
            <source>Stays tripped for</source>
            <translation>最初の遮断時間</translation>
        </message>
        <message>
            <source>Backoff factor</source>
            <translation>繰り返すごとの倍率</translation>
        </message>
        <message>
            <source>Probe jobs</source>
            <translation>その後に試す件数</translation>
        </message>
        <message>
            <source>At most</source>
            <translation>最大</translation>
        </message>
        <message>
            <source>refuse the new job</source>
            <translation>新しいジョブを拒否する</translation>
        </message>
        <message>
            <source>drop the oldest job</source>
            <translation>最も古いジョブを破棄する</translation>
        </message>
        <message>
            <source>join the newest job</source>
            <translation>最新のジョブに統合する</translation>
        </message>
        <message>
            <source>Ready jobs at most</source>
            <translation>実行待ちの上限</translation>
        </message>
        <message>
            <source>When it is full</source>
            <translation>上限に達したら</translation>
        </message>
        <message>
            <source>1, or an expression such as job.argument.weight</source>
            <translation>1、または job.argument.weight のような式</translation>
        </message>
        <message>
            <source>Weight of a key</source>
            <translation>キーの重み</translation>
        </message>
        <message>
            <source>to</source>
            <translation>変更</translation>
        </message>
        <message>
            <source>Retries</source>
            <translation>再試行</translation>
        </message>
        <message>
            <source>First retry delay</source>
            <translation>最初の再試行の間隔</translation>
        </message>
        <message>
            <source>Key</source>
            <translation>キー</translation>
        </message>
        <message>
            <source>A key may use what others leave</source>
            <translation>余った枠をほかのキーが使える</translation>
        </message>
        <message>
            <source>Percent</source>
            <translation>割合 (%)</translation>
        </message>
        <message>
            <source>At least</source>
            <translation>最小</translation>
        </message>
        <message>
            <source>Shares by key</source>
            <translation>キーごとの配分</translation>
        </message>
        <message>
            <source>Add a key</source>
            <translation>キーを追加</translation>
        </message>
        <message>
            <source>Capacity</source>
            <translation>全体の枠</translation>
        </message>
        <message>
            <source>Shares</source>
            <translation>配分</translation>
        </message>
        <message>
            <source>(all others)</source>
            <translation>（その他すべて）</translation>
        </message>
        <message>
            <source>may finish</source>
            <translation>最後まで実行</translation>
        </message>
        <message>
            <source>is cancelled</source>
            <translation>取り消す</translation>
        </message>
        <message>
            <source>Add a window</source>
            <translation>時間帯を追加</translation>
        </message>
        <message>
            <source>Running jobs at closing time</source>
            <translation>終了時に実行中のジョブ</translation>
        </message>
        <message>
            <source>only</source>
            <translation>のみ</translation>
        </message>
        <message>
            <source>never</source>
            <translation>不可</translation>
        </message>
        <message>
            <source>Rule</source>
            <translation>規則</translation>
        </message>
        <message>
            <source>From</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>To; at or before the beginning: of the next day</source>
            <translation>終了（開始以前なら翌日）</translation>
        </message>
        <message>
            <source>any date, or 2026-12-24, …</source>
            <translation>すべての日、または 2026-12-24, …</translation>
        </message>
        <message>
            <source>Dates</source>
            <translation>日付</translation>
        </message>
        <message>
            <source>Remove this window</source>
            <translation>この時間帯を除去</translation>
        </message>
        <message>
            <source>on</source>
            <translation>日付</translation>
        </message>
        <message>
            <source>until resumed</source>
            <translation>再開するまで</translation>
        </message>
        <message>
            <source>Algorithm</source>
            <translation>数え方</translation>
        </message>
        <message>
            <source>Ends</source>
            <translation>終了</translation>
        </message>
        <message>
            <source>Shown to other operators</source>
            <translation>ほかの人への説明</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PauseDialog</name>
        <message>
            <source>Reason</source>
            <translation>理由</translation>
        </message>
        <message>
            <source>&amp;Pause</source>
            <translation>一時停止(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;All jobs</source>
            <translation>すべてのジョブ(&amp;A)</translation>
        </message>
        <message>
            <source>&amp;Jobs that match</source>
            <translation>一致するジョブ(&amp;J)</translation>
        </message>
        <message>
            <source>Pause</source>
            <translation>一時停止</translation>
        </message>
        <message>
            <source>Which jobs?</source>
            <translation>対象のジョブは？</translation>
        </message>
        <message>
            <source>until resumed</source>
            <translation>再開するまで</translation>
        </message>
        <message>
            <source>&amp;Ends</source>
            <translation>終了(&amp;E)</translation>
        </message>
        <message>
            <source>Running jobs continue; matching jobs won&apos;t start.</source>
            <translation>実行中のジョブはそのまま続き、一致するジョブは開始されません。</translation>
        </message>
        <message numerus="yes">
            <source>%Ln ready job(s)</source>
            <translation>
                <numerusform>実行待ちのジョブ %Ln 件</numerusform>
            </translation>
        </message>
        <message>
            <source>Stops %1 now.</source>
            <translation>今止まるのは%1です。</translation>
        </message>
        <message>
            <source>Stops at least %1 now.</source>
            <translation>今止まるのは少なくとも%1です。</translation>
        </message>
        <message>
            <source>A reason is required.</source>
            <translation>理由は必須です。</translation>
        </message>
        <message>
            <source>&amp;Reason (required)</source>
            <translation>理由（必須）(&amp;R)</translation>
        </message>
        <message>
            <source>Shown to other operators</source>
            <translation>ほかの人への説明</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PayloadModel</name>
        <message numerus="yes">
            <source>%Ln element(s)</source>
            <translation>
                <numerusform>%Ln要素</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln key(s)</source>
            <translation>
                <numerusform>%Lnキー</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln byte(s): %1</source>
            <translation>
                <numerusform>%Lnバイト: %1</numerusform>
            </translation>
        </message>
        <message>
            <source>Key</source>
            <translation>キー</translation>
        </message>
        <message>
            <source>Type</source>
            <translation>型</translation>
        </message>
        <message>
            <source>Value</source>
            <translation>値</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PayloadView</name>
        <message>
            <source>Copy as JSON</source>
            <translation>JSON としてコピー</translation>
        </message>
        <message>
            <source>%1 of %2, %3</source>
            <comment>a type, how many elements, and bytes</comment>
            <translation>%1、%2、%3</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <comment>a type and bytes</comment>
            <translation>%1、%2</translation>
        </message>
        <message>
            <source>Copy as MessagePack in hex</source>
            <translation>MessagePack を 16進でコピー</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>開く</translation>
        </message>
        <message>
            <source>Show the value in a window of its own (double click on a part: that part)</source>
            <translation>値を別のウィンドウで表示します（一部をダブルクリックすると、その部分）</translation>
        </message>
        <message>
            <source>Open in a window</source>
            <translation>別のウィンドウで開く</translation>
        </message>
        <message>
            <source>%1 – %2</source>
            <comment>a value, a job</comment>
            <translation>%1 – %2</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::PreviewTree</name>
        <message>
            <source>Preview</source>
            <translation>プレビュー</translation>
        </message>
        <message>
            <source>Newly matched</source>
            <translation>新たに一致</translation>
        </message>
        <message>
            <source>No longer matched</source>
            <translation>一致しなくなる</translation>
        </message>
        <message>
            <source>Sample matches</source>
            <translation>一致する例</translation>
        </message>
        <message>
            <source>Matches now</source>
            <translation>現在の一致</translation>
        </message>
        <message>
            <source>at least %1</source>
            <translation>%1 以上</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <comment>jobs</comment>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>at least %1; looked at %2 of %3</source>
            <translation>%1 以上（%3 中 %2 を確認）</translation>
        </message>
        <message>
            <source>any name</source>
            <translation>すべての名前</translation>
        </message>
        <message>
            <source>no name</source>
            <translation>なし</translation>
        </message>
        <message>
            <source>Names it can match</source>
            <translation>一致しうる名前</translation>
        </message>
        <message>
            <source>Keys of %1</source>
            <translation>%1のキー</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s)</source>
            <translation>
                <numerusform>%Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>%1 of %2 would have waited</source>
            <comment>starts of jobs</comment>
            <translation>開始 %2件中 %1件が待機</translation>
        </message>
        <message>
            <source>on average</source>
            <translation>平均</translation>
        </message>
        <message>
            <source>at most</source>
            <translation>最大</translation>
        </message>
        <message>
            <source>It can never match</source>
            <translation>決して一致しません</translation>
        </message>
        <message>
            <source>It matches every job there is</source>
            <translation>すべてのジョブに一致します</translation>
        </message>
        <message>
            <source>It matches no job there is</source>
            <translation>一致するジョブがありません</translation>
        </message>
        <message>
            <source>Cannot be evaluated: %1</source>
            <translation>判定できません：%1</translation>
        </message>
        <message>
            <source>Also matched by</source>
            <translation>ほかに一致するもの</translation>
        </message>
        <message>
            <source>%1 · %2</source>
            <comment>a warning and of how many jobs</comment>
            <translation>%1 · %2</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>同時に実行</translation>
        </message>
        <message>
            <source>%1, limit %2</source>
            <comment>numbers of jobs</comment>
            <translation>現在 %1件、上限 %2件</translation>
        </message>
        <message>
            <source>%1, limit %2 for each key</source>
            <comment>numbers of jobs</comment>
            <translation>現在 %1件、キーごとに上限 %2件</translation>
        </message>
        <message>
            <source>Starts, as they were</source>
            <translation>実際の開始</translation>
        </message>
        <message>
            <source>Starts, with the limits</source>
            <translation>この制限での開始</translation>
        </message>
        <message>
            <source>at most %1 in %2</source>
            <comment>starts, a duration</comment>
            <translation>%2に最大 %1件</translation>
        </message>
        <message>
            <source>Replay of the last 15 minutes</source>
            <translation>直近15分の再現</translation>
        </message>
        <message>
            <source>%1; older starts were left out</source>
            <comment>a sentence</comment>
            <translation>%1（それより前の開始は含まない）</translation>
        </message>
        <message>
            <source>it grows</source>
            <comment>a backlog</comment>
            <translation>増加中</translation>
        </message>
        <message>
            <source>as long as workers take (now: %1)</source>
            <comment>a duration</comment>
            <translation>ワーカーの処理速度次第（現在：%1）</translation>
        </message>
        <message>
            <source>%1 (now: %2)</source>
            <comment>two durations</comment>
            <translation>%1（現在：%2）</translation>
        </message>
        <message>
            <source>up to %1 (now: %2)</source>
            <comment>two durations</comment>
            <translation>最大 %1（現在：%2）</translation>
        </message>
        <message>
            <source>%1 to %2 (now: %3)</source>
            <comment>three durations</comment>
            <translation>%1〜%2（現在：%3）</translation>
        </message>
        <message>
            <source>Backlog clears in</source>
            <translation>待機ジョブの解消まで</translation>
        </message>
        <message>
            <source>Arrivals</source>
            <translation>到着</translation>
        </message>
        <message>
            <source>Starts</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>%1 in the last %2</source>
            <comment>a rate, a duration</comment>
            <translation>%1（直近%2）</translation>
        </message>
        <message>
            <source>Arrivals (%1) exceed what can start: the backlog grows by %2</source>
            <comment>two rates: 24/s, 4/s</comment>
            <translation>到着（%1）が開始可能な数を上回っています：待機ジョブは %2 で増加</translation>
        </message>
        <message>
            <source>none of %1 would have started: paused</source>
            <comment>starts of jobs</comment>
            <translation>%1件すべて開始されなかったはずです（一時停止）</translation>
        </message>
        <message>
            <source>not replayed</source>
            <translation>再現の対象外</translation>
        </message>
        <message>
            <source>never while paused (now: %1)</source>
            <comment>a duration</comment>
            <translation>一時停止中は解消しません（現在：%1）</translation>
        </message>
        <message>
            <source>Starts may stop for up to %1: the rate is lowered</source>
            <translation>最大 %1、開始が止まる可能性：レートが下がります</translation>
        </message>
        <message>
            <source>unknown: not all ready jobs were looked at</source>
            <translation>不明（実行待ちのジョブをすべては確認できませんでした）</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RangeDialog</name>
        <message>
            <source>&amp;From (UTC)</source>
            <translation>開始（UTC）(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;From</source>
            <translation>開始(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Show</source>
            <translation>表示(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;To (UTC)</source>
            <translation>終了（UTC）(&amp;T)</translation>
        </message>
        <message>
            <source>&amp;To</source>
            <translation>終了(&amp;T)</translation>
        </message>
        <message>
            <source>A chart spans at most 8 days.</source>
            <translation>グラフの期間は最長 8日です。</translation>
        </message>
        <message>
            <source>Range of the chart</source>
            <translation>グラフの期間</translation>
        </message>
        <message>
            <source>The end must be at least a minute after the beginning.</source>
            <translation>終了は開始より 1分以上後にしてください。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ReasonDialog</name>
        <message>
            <source>Reason for changes</source>
            <translation>変更の理由</translation>
        </message>
        <message>
            <source>Keep as it is</source>
            <translation>そのままにする</translation>
        </message>
        <message>
            <source>Recorded in the audit and in the history of jobs with every change you make, until you clear it here or close the program.</source>
            <translation>ここで空欄にするかプログラムを終了するまで、行った変更すべてに付けて監査とジョブの履歴に記録します。</translation>
        </message>
        <message>
            <source>&amp;Use this reason</source>
            <translation>使う(&amp;U)</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RecordList</name>
        <message>
            <source>Load more</source>
            <translation>さらに読み込む</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RecordTable</name>
        <message>
            <source>The list cannot be sorted by this column</source>
            <translation>この列では並べ替えできません</translation>
        </message>
        <message>
            <source>Reset columns</source>
            <translation>列を初期状態に戻す</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ResultsPage</name>
        <message>
            <source>Job</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Finished</source>
            <translation>終了</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>The result was collected, or it expired.</source>
            <translation>結果は受け取り済みか、期限が切れています。</translation>
        </message>
        <message>
            <source>Size</source>
            <translation>サイズ</translation>
        </message>
        <message>
            <source>Expires</source>
            <translation>期限</translation>
        </message>
        <message>
            <source>Results</source>
            <translation>結果</translation>
        </message>
        <message>
            <source>&amp;Save as…</source>
            <translation>名前を付けて保存(&amp;S)…</translation>
        </message>
        <message>
            <source>&amp;Discard…</source>
            <translation>破棄(&amp;D)…</translation>
        </message>
        <message>
            <source>&amp;Open the job</source>
            <translation>ジョブを開く(&amp;O)</translation>
        </message>
        <message>
            <source>&amp;Keep for</source>
            <translation>保持期間(&amp;K)</translation>
        </message>
        <message numerus="yes">
            <source>%Ln hour(s) from now</source>
            <translation>
                <numerusform>今から %Ln時間</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln day(s) from now</source>
            <translation>
                <numerusform>今から %Ln日</numerusform>
            </translation>
        </message>
        <message>
            <source>Viewing a result does not collect it.</source>
            <translation>ここで見ても、結果はプッシャーのために残ります。</translation>
        </message>
        <message>
            <source>The result could not be read: %1</source>
            <translation>結果を読み込めませんでした: %1</translation>
        </message>
        <message>
            <source>(the job is removed)</source>
            <translation>（ジョブは削除済み）</translation>
        </message>
        <message>
            <source>in %1</source>
            <comment>a duration</comment>
            <translation>あと %1</translation>
        </message>
        <message>
            <source>The results could not be read</source>
            <translation>結果の一覧を読み込めませんでした</translation>
        </message>
        <message>
            <source>A job that was enqueued to keep its result leaves it here until its pusher fetches it or it expires.</source>
            <translation>結果を保持するように登録されたジョブの結果は、プッシャーが受け取るか期限が切れるまでここに残ります。</translation>
        </message>
        <message numerus="yes">
            <source>%1 of %Ln result(s), those that expire first</source>
            <translation>
                <numerusform>%Ln件中 %1件（期限の近い順）</numerusform>
            </translation>
        </message>
        <message>
            <source>Save the result</source>
            <translation>結果を保存</translation>
        </message>
        <message>
            <source>Saved to %1</source>
            <translation>%1 に保存しました</translation>
        </message>
        <message>
            <source>%1 could not be written</source>
            <translation>%1 に書き込めませんでした</translation>
        </message>
        <message>
            <source>Discard this result?</source>
            <translation>この結果を破棄しますか？</translation>
        </message>
        <message>
            <source>Its pusher will get no result. This cannot be undone.</source>
            <translation>プッシャーは結果を受け取れなくなり、元に戻すこともできません。</translation>
        </message>
        <message>
            <source>Discard</source>
            <translation>破棄する</translation>
        </message>
        <message>
            <source>No result matches</source>
            <translation>一致する結果はありません</translation>
        </message>
        <message>
            <source>Clear filter</source>
            <translation>絞り込みを解除</translation>
        </message>
        <message numerus="yes">
            <source>%Ln row(s)</source>
            <translation>
                <numerusform>%Ln行</numerusform>
            </translation>
        </message>
        <message>
            <source>searched %1 of %2</source>
            <translation>%2件中 %1件を検索</translation>
        </message>
        <message>
            <source>Outcome</source>
            <translation>終わり方</translation>
        </message>
        <message>
            <source>Search on</source>
            <translation>続けて検索</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>中止</translation>
        </message>
        <message>
            <source>None found so far</source>
            <translation>これまでのところ見つかっていません</translation>
        </message>
        <message>
            <source>Searching…</source>
            <translation>検索中…</translation>
        </message>
        <message>
            <source>No results waiting</source>
            <translation>待機中の結果はありません</translation>
        </message>
        <message>
            <source>Result discarded</source>
            <translation>結果を破棄しました</translation>
        </message>
        <message>
            <source>Result kept until %1</source>
            <translation>結果を %1 まで保持します</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RetentionDialog</name>
        <message>
            <source>Retention of all names</source>
            <translation>すべての名前の保持期間</translation>
        </message>
        <message>
            <source>Retention of %1</source>
            <translation>%1 の保持期間</translation>
        </message>
        <message>
            <source>&amp;Name</source>
            <translation>名前(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Save</source>
            <translation>保存(&amp;S)</translation>
        </message>
        <message>
            <source>default (%1)</source>
            <comment>an age or a number</comment>
            <translation>既定値（%1）</translation>
        </message>
        <message>
            <source>seconds</source>
            <translation>秒</translation>
        </message>
        <message>
            <source>minutes</source>
            <translation>分</translation>
        </message>
        <message>
            <source>hours</source>
            <translation>時間</translation>
        </message>
        <message>
            <source>days</source>
            <translation>日</translation>
        </message>
        <message>
            <source>Age of %1 jobs</source>
            <comment>a state</comment>
            <translation>ジョブの期間（%1）</translation>
        </message>
        <message>
            <source>jobs</source>
            <translation>件</translation>
        </message>
        <message>
            <source>Number of %1 jobs</source>
            <comment>a state</comment>
            <translation>ジョブの件数（%1）</translation>
        </message>
        <message>
            <source>Unit</source>
            <translation>単位</translation>
        </message>
        <message>
            <source>No job is purged at once.</source>
            <translation>すぐに消去されるジョブはありません。</translation>
        </message>
        <message>
            <source>%1: %2</source>
            <comment>a state and a count</comment>
            <translation>%1: %2</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s) are purged at once and cannot be brought back. Starred jobs stay.</source>
            <translation>
                <numerusform>%Ln件のジョブがすぐに消去され、元に戻せません。スター付きのジョブは残ります。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>At least %Ln job(s) are purged at once and cannot be brought back. Starred jobs stay.</source>
            <translation>
                <numerusform>少なくとも %Ln件のジョブがすぐに消去され、元に戻せません。スター付きのジョブは残ります。</numerusform>
            </translation>
        </message>
        <message>
            <source>Counting the jobs…</source>
            <translation>ジョブを数えています…</translation>
        </message>
        <message numerus="yes">
            <source>Save and purge %Ln job(s)</source>
            <translation>
                <numerusform>保存して %Ln件を消去</numerusform>
            </translation>
        </message>
        <message>
            <source>Someone else changed the retention meanwhile. Nothing was overwritten. Close this form to see the current settings.</source>
            <translation>ほかの人が保持期間を変更しました。上書きはしていません。このフォームを閉じると現在の設定を確認できます。</translation>
        </message>
        <message>
            <source>Name of the jobs, such as mail.send</source>
            <translation>ジョブの名前（例: mail.send）</translation>
        </message>
        <message>
            <source>Retention of a name</source>
            <translation>名前ごとの保持期間</translation>
        </message>
        <message>
            <source>The maximum number for all names applies too.</source>
            <translation>すべての名前の件数の上限も適用されます。</translation>
        </message>
        <message>
            <source>Maximum age</source>
            <translation>期間の上限</translation>
        </message>
        <message>
            <source>Maximum number</source>
            <translation>件数の上限</translation>
        </message>
        <message>
            <source>same as all names (%1)</source>
            <comment>an age or a number</comment>
            <translation>すべての名前と同じ（%1）</translation>
        </message>
        <message>
            <source>Some jobs may be purged at once: there are too many to count. They cannot be brought back.</source>
            <translation>すぐに消去されるジョブがある可能性があります（多すぎて数えきれません）。消去されたジョブは元に戻せません。</translation>
        </message>
        <message>
            <source>The jobs to be purged could not be counted: %1</source>
            <translation>消去されるジョブを数えられませんでした: %1</translation>
        </message>
        <message>
            <source>This name already has settings of its own.</source>
            <translation>この名前にはすでに設定があります。</translation>
        </message>
        <message>
            <source>Save and purge an unknown number of jobs?</source>
            <translation>件数不明のジョブを消去して保存しますか？</translation>
        </message>
        <message numerus="yes">
            <source>Save and purge %Ln job(s)?</source>
            <translation>
                <numerusform>保存して %Ln件のジョブを消去しますか？</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Save and purge at least %Ln job(s)?</source>
            <translation>
                <numerusform>保存して少なくとも %Ln件のジョブを消去しますか？</numerusform>
            </translation>
        </message>
        <message>
            <source>Save and purge</source>
            <translation>保存して消去</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RetentionPage</name>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Retention</source>
            <translation>保持期間</translation>
        </message>
        <message>
            <source>&amp;Edit…</source>
            <translation>編集(&amp;E)…</translation>
        </message>
        <message numerus="yes">
            <source>%Ln job(s)</source>
            <translation>
                <numerusform>%Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>All names</source>
            <translation>すべての名前</translation>
        </message>
        <message>
            <source>The retention could not be read</source>
            <translation>保持期間を読み込めませんでした</translation>
        </message>
        <message>
            <source>Ended jobs are removed at the maximum age or number, whichever comes first. Results expire separately.</source>
            <translation>終了したジョブは、期間か件数のどちらかが上限に達すると消去されます。結果の保持期間は別に決まります。</translation>
        </message>
        <message>
            <source>&amp;Remove its settings…</source>
            <translation>この名前の設定を削除(&amp;R)…</translation>
        </message>
        <message>
            <source>&amp;Add a name…</source>
            <translation>名前を追加(&amp;A)…</translation>
        </message>
        <message>
            <source>The settings for all names then apply to the chosen name</source>
            <translation>選択した名前にすべての名前の設定が適用されるようになります</translation>
        </message>
        <message>
            <source>Retention saved</source>
            <translation>保持期間を保存しました</translation>
        </message>
        <message>
            <source>Remove the settings of “%1”?</source>
            <translation>「%1」の設定を削除しますか？</translation>
        </message>
        <message>
            <source>The settings for all names then apply to its jobs.</source>
            <translation>そのジョブにはすべての名前の設定が適用されるようになります。</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>削除</translation>
        </message>
        <message>
            <source>same as all names</source>
            <translation>すべての名前と同じ</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::RevisionsDialog</name>
        <message>
            <source>By</source>
            <translation>実行者</translation>
        </message>
        <message>
            <source>Loading…</source>
            <translation>読み込み中…</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>閉じる</translation>
        </message>
        <message>
            <source>none</source>
            <translation>なし</translation>
        </message>
        <message>
            <source>Revision</source>
            <translation>リビジョン</translation>
        </message>
        <message>
            <source>Saved</source>
            <translation>保存日時</translation>
        </message>
        <message>
            <source>Title</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Revisions</source>
            <translation>リビジョン</translation>
        </message>
        <message>
            <source>Field</source>
            <translation>相違点</translation>
        </message>
        <message>
            <source>In this revision</source>
            <translation>このリビジョン</translation>
        </message>
        <message>
            <source>Active</source>
            <translation>現在有効</translation>
        </message>
        <message>
            <source>Differences</source>
            <translation>相違点</translation>
        </message>
        <message>
            <source>Revisions of %1</source>
            <translation>%1 のリビジョン</translation>
        </message>
        <message>
            <source>Select a revision to compare it with the active one</source>
            <translation>リビジョンを選ぶと、現在有効なものと比べます</translation>
        </message>
        <message>
            <source>The revisions could not be read</source>
            <translation>リビジョンを読み込めませんでした</translation>
        </message>
        <message>
            <source>%1 (active)</source>
            <translation>%1（有効）</translation>
        </message>
        <message>
            <source>Someone else changed it meanwhile. Close this to see the current version.</source>
            <translation>ほかの人が変更しました。閉じて現在の内容を確認してください。</translation>
        </message>
        <message>
            <source>Restore this &amp;revision</source>
            <translation>このリビジョンに戻す(&amp;R)</translation>
        </message>
        <message>
            <source>No changes from the active version</source>
            <translation>現在有効なものと同じです</translation>
        </message>
        <message>
            <source>Restore revision %1?</source>
            <translation>リビジョン %1 に戻しますか？</translation>
        </message>
        <message>
            <source>Restore</source>
            <translation>戻す</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::SavedFilters</name>
        <message>
            <source>%1
Saved by %2, %3</source>
            <comment>a filter, a person, a time</comment>
            <translation>%1
保存：%2、%3</translation>
        </message>
        <message>
            <source>&amp;Delete</source>
            <translation>削除(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Rename</source>
            <translation>名前を変更(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Save the filter…</source>
            <translation>フィルターを保存(&amp;S)…</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>削除</translation>
        </message>
        <message>
            <source>Delete the saved filter “%1”?</source>
            <translation>保存したフィルター「%1」を削除しますか？</translation>
        </message>
        <message>
            <source>It is gone for everybody who uses this queue.</source>
            <translation>このキューを使う全員から見えなくなります。</translation>
        </message>
        <message>
            <source>None yet</source>
            <translation>まだありません</translation>
        </message>
        <message>
            <source>Saved and recent filters</source>
            <translation>保存したフィルターと履歴</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ScheduleDialog</name>
        <message>
            <source>Edit schedule</source>
            <translation>スケジュールの編集</translation>
        </message>
        <message>
            <source>New schedule</source>
            <translation>新しいスケジュール</translation>
        </message>
        <message>
            <source>Name in the API, such as nightly-report</source>
            <translation>API での名前（例: nightly-report）</translation>
        </message>
        <message>
            <source>Display name</source>
            <translation>表示名</translation>
        </message>
        <message>
            <source>&amp;ID</source>
            <translation>&amp;ID</translation>
        </message>
        <message>
            <source>Tit&amp;le</source>
            <translation>表示名(&amp;L)</translation>
        </message>
        <message>
            <source>The job that each run enqueues</source>
            <translation>各回に登録するジョブ</translation>
        </message>
        <message>
            <source>&amp;Save</source>
            <translation>保存(&amp;S)</translation>
        </message>
        <message>
            <source>When</source>
            <translation>実行時刻</translation>
        </message>
        <message>
            <source>&amp;Cron</source>
            <translation>&amp;Cron</translation>
        </message>
        <message>
            <source>E&amp;very</source>
            <translation>間隔(&amp;V)</translation>
        </message>
        <message>
            <source>Cron expression</source>
            <translation>Cron 式</translation>
        </message>
        <message>
            <source>Minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, @monthly, @yearly</source>
            <translation>分、時、日、月、曜日。または @hourly、@daily、@weekly、@monthly、@yearly</translation>
        </message>
        <message>
            <source>Time zone</source>
            <translation>タイムゾーン</translation>
        </message>
        <message>
            <source>Interval</source>
            <translation>間隔</translation>
        </message>
        <message>
            <source>seconds</source>
            <translation>秒</translation>
        </message>
        <message>
            <source>minutes</source>
            <translation>分</translation>
        </message>
        <message>
            <source>hours</source>
            <translation>時間</translation>
        </message>
        <message>
            <source>days</source>
            <translation>日</translation>
        </message>
        <message>
            <source>Unit of the interval</source>
            <translation>間隔の単位</translation>
        </message>
        <message>
            <source>Time &amp;zone</source>
            <translation>タイムゾーン(&amp;Z)</translation>
        </message>
        <message>
            <source>Next runs</source>
            <translation>次回以降の実行</translation>
        </message>
        <message>
            <source>Overlap and missed runs</source>
            <translation>重なりや欠落への対応</translation>
        </message>
        <message>
            <source>skip this run</source>
            <translation>今回は登録しない</translation>
        </message>
        <message>
            <source>one job for each, at most</source>
            <translation>1回ごとに登録する（上限）</translation>
        </message>
        <message>
            <source>no job</source>
            <translation>登録しない</translation>
        </message>
        <message>
            <source>Maximum</source>
            <translation>上限</translation>
        </message>
        <message>
            <source>%1, in %2</source>
            <comment>a time and a duration</comment>
            <translation>%1（あと %2）</translation>
        </message>
        <message>
            <source>Never fires again.</source>
            <translation>今後は実行されません。</translation>
        </message>
        <message>
            <source>A schedule needs an ID.</source>
            <translation>スケジュールには ID が必要です。</translation>
        </message>
        <message>
            <source>Someone else changed this schedule meanwhile. Close this form to see the current version.</source>
            <translation>このスケジュールは、ほかの人によって変更されています。いったん閉じて、現在の内容を確認してください。</translation>
        </message>
        <message>
            <source>There is a schedule with this ID already.</source>
            <translation>この ID のスケジュールはすでにあります。</translation>
        </message>
        <message>
            <source>start another</source>
            <translation>もう 1件登録する</translation>
        </message>
        <message>
            <source>run once</source>
            <translation>まとめて 1件登録する</translation>
        </message>
        <message>
            <source>If the pr&amp;evious run is still going</source>
            <translation>前のジョブが終わっていないとき(&amp;E)</translation>
        </message>
        <message>
            <source>If runs were missed</source>
            <translation>実行時刻にマスターが停止していたとき</translation>
        </message>
        <message>
            <source>cancel it and start another</source>
            <translation>前回の実行を取り消して新しく開始</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::SchedulesPage</name>
        <message>
            <source>Schedule</source>
            <translation>スケジュール</translation>
        </message>
        <message>
            <source>When</source>
            <translation>実行時刻</translation>
        </message>
        <message>
            <source>Time zone</source>
            <translation>タイムゾーン</translation>
        </message>
        <message>
            <source>Next run</source>
            <translation>次回</translation>
        </message>
        <message>
            <source>Last job</source>
            <translation>直近のジョブ</translation>
        </message>
        <message>
            <source>Job</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>Overlap</source>
            <translation>重なり</translation>
        </message>
        <message>
            <source>Fired</source>
            <translation>回数</translation>
        </message>
        <message>
            <source>Jobs enqueued so far</source>
            <translation>これまでに登録したジョブの数</translation>
        </message>
        <message>
            <source>Skipped</source>
            <translation>見送り</translation>
        </message>
        <message>
            <source>Runs skipped because the previous job was still going</source>
            <translation>前のジョブが終わっていないため見送った回数</translation>
        </message>
        <message>
            <source>Schedules</source>
            <translation>スケジュール</translation>
        </message>
        <message>
            <source>&amp;New schedule…</source>
            <translation>新しいスケジュール(&amp;N)…</translation>
        </message>
        <message>
            <source>&amp;Run now</source>
            <translation>今すぐ実行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Pause</source>
            <translation>一時停止(&amp;P)</translation>
        </message>
        <message>
            <source>&amp;Edit…</source>
            <translation>編集(&amp;E)…</translation>
        </message>
        <message>
            <source>&amp;Delete…</source>
            <translation>削除(&amp;D)…</translation>
        </message>
        <message>
            <source>Due</source>
            <translation>予定</translation>
        </message>
        <message>
            <source>Ran</source>
            <translation>実行</translation>
        </message>
        <message>
            <source>Latest runs</source>
            <translation>最近の実行</translation>
        </message>
        <message>
            <source>Not fired yet</source>
            <translation>まだ実行されていません</translation>
        </message>
        <message>
            <source>Next runs</source>
            <translation>次回以降の実行</translation>
        </message>
        <message>
            <source>paused</source>
            <translation>一時停止中</translation>
        </message>
        <message>
            <source>never again</source>
            <translation>今後なし</translation>
        </message>
        <message>
            <source>none yet</source>
            <translation>まだなし</translation>
        </message>
        <message>
            <source>removed</source>
            <translation>削除済み</translation>
        </message>
        <message>
            <source>The schedules could not be read</source>
            <translation>スケジュールを読み込めませんでした</translation>
        </message>
        <message>
            <source>No recurring jobs</source>
            <translation>定期ジョブはありません</translation>
        </message>
        <message>
            <source>A schedule enqueues a job again and again: by a cron expression in a time zone, or every so often.</source>
            <translation>スケジュールは、タイムゾーン付きの cron 式または一定の間隔で、ジョブを繰り返し登録します。</translation>
        </message>
        <message>
            <source>New schedule…</source>
            <translation>新しいスケジュール…</translation>
        </message>
        <message numerus="yes">
            <source>The first %Ln schedule(s)</source>
            <translation>
                <numerusform>先頭の %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>Res&amp;ume</source>
            <translation>再開(&amp;U)</translation>
        </message>
        <message>
            <source>missed runs: %1</source>
            <translation>取りこぼしたとき：%1</translation>
        </message>
        <message>
            <source>changed %1</source>
            <translation>%1に変更</translation>
        </message>
        <message>
            <source>none</source>
            <translation>なし</translation>
        </message>
        <message>
            <source>paused; otherwise:</source>
            <translation>一時停止中。再開した場合:</translation>
        </message>
        <message>
            <source>Delete the schedule “%1”?</source>
            <translation>スケジュール「%1」を削除しますか？</translation>
        </message>
        <message>
            <source>Its jobs stay.</source>
            <translation>これまでに登録されたジョブは残ります。</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>元に戻す</translation>
        </message>
        <message>
            <source>Argument</source>
            <translation>引数</translation>
        </message>
        <message>
            <source>Each run enqueues exactly one job.</source>
            <translation>マスターが何台あっても、1つの時刻につきジョブは 1件だけ登録されます。</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>結果</translation>
        </message>
        <message>
            <source>Job enqueued</source>
            <translation>ジョブを登録しました</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>開く</translation>
        </message>
        <message>
            <source>Schedule resumed</source>
            <translation>スケジュールを再開しました</translation>
        </message>
        <message>
            <source>Schedule paused</source>
            <translation>スケジュールを一時停止しました</translation>
        </message>
        <message>
            <source>Schedule saved</source>
            <translation>スケジュールを保存しました</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>削除する</translation>
        </message>
        <message>
            <source>Schedule deleted</source>
            <translation>スケジュールを削除しました</translation>
        </message>
        <message>
            <source>Schedule restored</source>
            <translation>スケジュールを元に戻しました</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::StartFailure</name>
        <message>
            <source>Junban</source>
            <translation>Junban</translation>
        </message>
        <message>
            <source>The master does not run</source>
            <translation>マスターが動いていません</translation>
        </message>
        <message>
            <source>the embedded Redis</source>
            <translation>内蔵の Redis</translation>
        </message>
        <message>
            <source>&amp;Listen at</source>
            <translation>待ち受け先(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Redis</source>
            <translation>Redis(&amp;R)</translation>
        </message>
        <message>
            <source>Try &amp;again</source>
            <translation>再試行(&amp;A)</translation>
        </message>
        <message>
            <source>&amp;Quit</source>
            <translation>終了(&amp;Q)</translation>
        </message>
        <message>
            <source>Tried again at %1, without success.</source>
            <translation>%1 に再試行しましたが、起動できませんでした。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::StartField</name>
        <message>
            <source>at once</source>
            <translation>すぐに</translation>
        </message>
        <message>
            <source>after</source>
            <translation>一定時間後</translation>
        </message>
        <message>
            <source>at (UTC)</source>
            <translation>日時指定 (UTC)</translation>
        </message>
        <message>
            <source>at (local time)</source>
            <translation>日時指定 (現地時刻)</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>Delay</source>
            <translation>遅延</translation>
        </message>
        <message>
            <source>Not before</source>
            <translation>開始日時</translation>
        </message>
        <message>
            <source>as it is</source>
            <translation>変更しない</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::StateStrip</name>
        <message>
            <source>What keeps jobs from running</source>
            <translation>ジョブの実行を妨げているもの</translation>
        </message>
        <message numerus="yes">
            <source>%Ln more</source>
            <translation>
                <numerusform>ほか %Ln件</numerusform>
            </translation>
        </message>
        <message>
            <source>More reasons</source>
            <translation>ジョブの実行を妨げているその他の要因</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::TestPanel</name>
        <message>
            <source>%1 is %2 (%3)</source>
            <comment>an expression, its value and its type</comment>
            <translation>%1 は %2（%3）</translation>
        </message>
        <message>
            <source>, compared with %1</source>
            <comment>a type</comment>
            <translation>、比較先は %1</translation>
        </message>
        <message>
            <source>Test a job</source>
            <translation>ジョブで試す</translation>
        </message>
        <message>
            <source>Operand</source>
            <translation>項</translation>
        </message>
        <message>
            <source>True</source>
            <translation>成立</translation>
        </message>
        <message>
            <source>Values</source>
            <translation>読み取った値</translation>
        </message>
        <message>
            <source>Operands</source>
            <translation>項</translation>
        </message>
        <message>
            <source>Job ID, or a name such as mail.send</source>
            <translation>ジョブの ID、または投入するジョブの名前</translation>
        </message>
        <message>
            <source>Job ID or name</source>
            <translation>ジョブの ID または名前</translation>
        </message>
        <message>
            <source>Argument (JSON)</source>
            <translation>引数（JSON）</translation>
        </message>
        <message>
            <source>Shows whether the job matches, and why.</source>
            <translation>一致するかどうか、その理由をここに表示します。</translation>
        </message>
        <message>
            <source>It does not match: %1</source>
            <translation>一致しません：%1</translation>
        </message>
        <message>
            <source>It matches.</source>
            <translation>一致します。</translation>
        </message>
        <message>
            <source>It does not match.</source>
            <translation>一致しません。</translation>
        </message>
        <message>
            <source>no value</source>
            <translation>値なし</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>はい</translation>
        </message>
        <message>
            <source>no</source>
            <translation>いいえ</translation>
        </message>
        <message>
            <source>There are more operands than are shown.</source>
            <translation>表示しきれない項があります。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ThroughputChart</name>
        <message>
            <source>Throughput</source>
            <translation>スループット</translation>
        </message>
        <message>
            <source>enqueued</source>
            <translation>登録</translation>
        </message>
        <message>
            <source>started</source>
            <translation>開始</translation>
        </message>
        <message>
            <source>succeeded</source>
            <translation>成功</translation>
        </message>
        <message>
            <source>failures</source>
            <translation>失敗回数</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>a series and its rate</comment>
            <translation>%1 %2</translation>
        </message>
        <message>
            <source>not known</source>
            <translation>不明</translation>
        </message>
        <message>
            <source>%1 (%2)</source>
            <comment>a series and its rate, how many in the chosen time</comment>
            <translation>%1（%2）</translation>
        </message>
        <message>
            <source>%1: %2 in the chosen time</source>
            <comment>a series, how many</comment>
            <translation>%1：選んだ期間に %2件</translation>
        </message>
        <message>
            <source>This name was not counted separately in this period.</source>
            <translation>この名前は、この期間には個別に集計されていません。</translation>
        </message>
        <message>
            <source>Click to show this line</source>
            <translation>クリックするとこの線を表示します</translation>
        </message>
        <message>
            <source>Click to hide this line</source>
            <translation>クリックするとこの線を隠します</translation>
        </message>
        <message>
            <source>%1 avg %2</source>
            <comment>a series and its mean rate</comment>
            <translation>%1 平均 %2</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::Timeline</name>
        <message>
            <source>Timeline</source>
            <translation>経過</translation>
        </message>
        <message>
            <source>waited %1</source>
            <translation>%1 待機</translation>
        </message>
        <message>
            <source>attempt %1 on %2: %3 after %4</source>
            <translation>試行 %1（%2）: %4 で%3</translation>
        </message>
        <message>
            <source>Enqueued at %1</source>
            <translation>%1 に登録</translation>
        </message>
        <message>
            <source>now %1</source>
            <translation>現在 %1</translation>
        </message>
        <message>
            <source>now</source>
            <translation>今</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::Toast</name>
        <message>
            <source>Close</source>
            <translation>閉じる</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::TokenDialog</name>
        <message>
            <source>Token</source>
            <translation>トークン</translation>
        </message>
        <message>
            <source>The master at %1 needs a token. It says: %2</source>
            <translation>%1 のマスターにはトークンが必要です。マスターの応答: %2</translation>
        </message>
        <message>
            <source>It is kept in memory until this program ends. To start with one, use --token-file.</source>
            <translation>このプログラムが終了するまでメモリーにだけ保持されます。起動時に指定するには --token-file を使います。</translation>
        </message>
        <message>
            <source>Use the token</source>
            <translation>このトークンを使う</translation>
        </message>
        <message>
            <source>Continue without</source>
            <translation>トークンなしで続ける</translation>
        </message>
        <message>
            <source>No token yet.</source>
            <translation>トークンがまだ入力されていません。</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::TokensPage</name>
        <message>
            <source>Note</source>
            <translation>メモ</translation>
        </message>
        <message>
            <source>Roles</source>
            <translation>ロール</translation>
        </message>
        <message>
            <source>Jobs</source>
            <translation>ジョブ</translation>
        </message>
        <message>
            <source>The jobs that the token is for</source>
            <translation>トークンの対象となるジョブ</translation>
        </message>
        <message>
            <source>Ends</source>
            <translation>有効期限</translation>
        </message>
        <message>
            <source>Last used</source>
            <translation>最終使用</translation>
        </message>
        <message>
            <source>ID</source>
            <translation>ID</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>トークン</translation>
        </message>
        <message>
            <source>&amp;New token…</source>
            <translation>新しいトークン(&amp;N)…</translation>
        </message>
        <message>
            <source>Re&amp;voke…</source>
            <translation>失効(&amp;V)…</translation>
        </message>
        <message>
            <source>What it &amp;did</source>
            <translation>このトークンの操作(&amp;D)</translation>
        </message>
        <message>
            <source>Copy the &amp;ID</source>
            <translation>ID をコピー(&amp;I)</translation>
        </message>
        <message>
            <source>Its entries in the audit</source>
            <translation>監査に残る、このトークンの記録</translation>
        </message>
        <message>
            <source>never</source>
            <translation>なし</translation>
        </message>
        <message>
            <source>expired %1</source>
            <comment>a time</comment>
            <translation>%1 に失効</translation>
        </message>
        <message>
            <source>in %1</source>
            <comment>a duration</comment>
            <translation>%1後</translation>
        </message>
        <message>
            <source>(no note)</source>
            <translation>（メモなし）</translation>
        </message>
        <message>
            <source>all jobs</source>
            <translation>すべてのジョブ</translation>
        </message>
        <message>
            <source>never used</source>
            <translation>未使用</translation>
        </message>
        <message>
            <source>The tokens could not be read</source>
            <translation>トークンを読み込めませんでした</translation>
        </message>
        <message>
            <source>No tokens</source>
            <translation>トークンはありません</translation>
        </message>
        <message>
            <source>Callers of this machine need none and hold every role. From the first token on every caller needs one.</source>
            <translation>このマシンからの呼び出しには不要で、すべてのロールを持ちます。最初のトークンを作ると、すべての呼び出しに必要になります。</translation>
        </message>
        <message>
            <source>New token…</source>
            <translation>新しいトークン…</translation>
        </message>
        <message>
            <source>never ends</source>
            <translation>有効期限なし</translation>
        </message>
        <message>
            <source>ends %1</source>
            <translation>有効期限 %1</translation>
        </message>
        <message>
            <source>this window uses it</source>
            <translation>この画面が使用中</translation>
        </message>
        <message>
            <source>It is the last token: callers of the master&apos;s own machine hold every role then.</source>
            <translation>最後のトークンです。以後、マスターと同じマシンからの呼び出しはすべてのロールを持ちます。</translation>
        </message>
        <message>
            <source>Whoever uses it is refused within two seconds.</source>
            <translation>使用者は 2秒以内に拒否されます。</translation>
        </message>
        <message>
            <source>It is the last one of an administrator: nobody can make tokens then.</source>
            <translation>管理者の最後のトークンです。以後、誰もトークンを作れません。</translation>
        </message>
        <message>
            <source>This window uses it.</source>
            <translation>この画面が使っています。</translation>
        </message>
        <message>
            <source>Workers with it get no jobs and cannot report those that they run.</source>
            <translation>このトークンを使うワーカーは、ジョブを受け取れず、実行中のジョブの報告もできなくなります。</translation>
        </message>
        <message>
            <source>Results that wait for its pusher cannot be collected with another token.</source>
            <translation>プッシャーを待っている結果は、別のトークンでは受け取れません。</translation>
        </message>
        <message>
            <source>It was last used %1.</source>
            <comment>how long ago</comment>
            <translation>最終使用は %1です。</translation>
        </message>
        <message>
            <source>It was never used.</source>
            <translation>まだ使われていません。</translation>
        </message>
        <message>
            <source>Revoke the token “%1”?</source>
            <translation>トークン「%1」を失効させますか？</translation>
        </message>
        <message>
            <source>Revoke</source>
            <translation>失効させる</translation>
        </message>
        <message>
            <source>Created</source>
            <translation>作成</translation>
        </message>
        <message>
            <source>Created by</source>
            <translation>作成者</translation>
        </message>
        <message>
            <source>created %1 by %2</source>
            <comment>a time, a token's note</comment>
            <translation>%1 に作成、作成者 %2</translation>
        </message>
        <message>
            <source>Token “%1” revoked</source>
            <translation>トークン「%1」を失効させました</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::TrendView</name>
        <message>
            <source>now</source>
            <translation>今</translation>
        </message>
        <message>
            <source>Trend</source>
            <translation>推移</translation>
        </message>
        <message>
            <source>Failures in each %1, oldest first: %2</source>
            <translation>%1ごとの失敗数（古い順）: %2</translation>
        </message>
        <message>
            <source>at most %1 in %2</source>
            <translation>%2あたり最大 %1件</translation>
        </message>
        <message numerus="yes">
            <source>%1: %Ln failure(s)</source>
            <translation>
                <numerusform>%1: 失敗 %Ln回</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>junban::ui::ValueWindow</name>
        <message>
            <source>The value is too long to be shown as text. It can be saved.</source>
            <translation>値が長すぎてテキストとして表示できません。保存はできます。</translation>
        </message>
        <message>
            <source>Text</source>
            <translation>テキスト</translation>
        </message>
        <message>
            <source>Hex</source>
            <translation>16進</translation>
        </message>
        <message>
            <source>Tree</source>
            <translation>ツリー</translation>
        </message>
        <message>
            <source>Hex (the first 64 KiB)</source>
            <translation>16進（先頭 64 KiB）</translation>
        </message>
        <message>
            <source>Search</source>
            <translation>検索</translation>
        </message>
        <message>
            <source>Search in the value</source>
            <translation>値の中を検索</translation>
        </message>
        <message>
            <source>Copy as JSON</source>
            <translation>JSON としてコピー</translation>
        </message>
        <message>
            <source>Save…</source>
            <translation>保存…</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <comment>a type and bytes</comment>
            <translation>%1、%2</translation>
        </message>
        <message>
            <source>Not found</source>
            <translation>見つかりません</translation>
        </message>
        <message>
            <source>Save the value</source>
            <translation>値を保存</translation>
        </message>
        <message>
            <source>Saved</source>
            <translation>保存しました</translation>
        </message>
        <message>
            <source>Not saved: %1</source>
            <translation>保存できませんでした: %1</translation>
        </message>
    </context>
    <context>
        <name>junban::ui::WorkersPage</name>
        <message>
            <source>Worker</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状態</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>種類</translation>
        </message>
        <message>
            <source>Names</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>Running jobs, and slots</source>
            <translation>いま実行しているジョブ数と枠の数</translation>
        </message>
        <message>
            <source>Last contact</source>
            <translation>最後の連絡</translation>
        </message>
        <message>
            <source>Succeeded</source>
            <translation>成功</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失敗</translation>
        </message>
        <message>
            <source>p50</source>
            <translation>中央値</translation>
        </message>
        <message>
            <source>Half of its last attempts took no longer</source>
            <translation>最近の試行の半分はこの時間以内でした</translation>
        </message>
        <message>
            <source>p95</source>
            <translation>95%点</translation>
        </message>
        <message>
            <source>95 % of its last attempts took no longer</source>
            <translation>最近の試行の 95% はこの時間以内でした</translation>
        </message>
        <message>
            <source>Version</source>
            <translation>バージョン</translation>
        </message>
        <message>
            <source>Workers</source>
            <translation>ワーカー</translation>
        </message>
        <message>
            <source>&amp;Drain</source>
            <translation>割り当てを止める(&amp;D)</translation>
        </message>
        <message>
            <source>Re&amp;sume</source>
            <translation>再開(&amp;S)</translation>
        </message>
        <message>
            <source>Re&amp;queue its jobs…</source>
            <translation>ジョブを実行待ちに戻す(&amp;Q)…</translation>
        </message>
        <message>
            <source>S&amp;how its jobs</source>
            <translation>ジョブを表示(&amp;H)</translation>
        </message>
        <message>
            <source>&amp;Forget…</source>
            <translation>登録を消す(&amp;F)…</translation>
        </message>
        <message>
            <source>Its running jobs become ready again; later reports about them are refused</source>
            <translation>実行中のジョブが実行待ちに戻ります。その後の報告は拒否されます</translation>
        </message>
        <message>
            <source>A worker that the master calls gets no more calls</source>
            <translation>呼び出されるワーカーは、もう呼び出されません</translation>
        </message>
        <message>
            <source>The worker gets no more jobs</source>
            <translation>ワーカーへの割り当てを止めました</translation>
        </message>
        <message>
            <source>The worker gets jobs again</source>
            <translation>ワーカーへの割り当てを再開しました</translation>
        </message>
        <message>
            <source>Running job</source>
            <translation>実行中のジョブ</translation>
        </message>
        <message>
            <source>Jobs that the worker runs</source>
            <translation>ワーカーが実行しているジョブ</translation>
        </message>
        <message>
            <source>draining</source>
            <translation>割り当て停止中</translation>
        </message>
        <message>
            <source>lost</source>
            <translation>行方不明</translation>
        </message>
        <message>
            <source>unreachable</source>
            <translation>到達不能</translation>
        </message>
        <message>
            <source>Pulls jobs from the master</source>
            <translation>マスターにジョブを取りに来ます</translation>
        </message>
        <message>
            <source>(any)</source>
            <comment>names of jobs</comment>
            <translation>（すべて）</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message numerus="yes">
            <source>%Ln draining</source>
            <translation>
                <numerusform>割り当て停止中 %Ln台</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln unreachable</source>
            <translation>
                <numerusform>到達不能 %Ln台</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln lost</source>
            <translation>
                <numerusform>行方不明 %Ln台</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>the first %Ln by name</source>
            <translation>
                <numerusform>名前順の先頭 %Ln</numerusform>
            </translation>
        </message>
        <message>
            <source>The workers could not be read</source>
            <translation>ワーカーを読めませんでした</translation>
        </message>
        <message>
            <source>No worker yet</source>
            <translation>ワーカーはまだいません</translation>
        </message>
        <message>
            <source>A worker is listed as soon as it asks for a job or is registered.</source>
            <translation>ワーカーはジョブを取りに来るか登録されると表示されます。</translation>
        </message>
        <message>
            <source>first seen %1</source>
            <translation>初回 %1</translation>
        </message>
        <message>
            <source>requests are signed</source>
            <translation>リクエストに署名</translation>
        </message>
        <message>
            <source>call failed %1: %2</source>
            <translation>%1に呼び出せませんでした: %2</translation>
        </message>
        <message>
            <source>Forget the worker “%1”?</source>
            <translation>ワーカー「%1」の登録を消しますか？</translation>
        </message>
        <message>
            <source>It gets no more calls until it registers again. Its running jobs continue.</source>
            <translation>再び登録されるまで呼び出されません。実行中のジョブは続きます。</translation>
        </message>
        <message>
            <source>Its running jobs, or the last ones it ran</source>
            <translation>実行中のジョブ。なければ最後に実行したジョブ</translation>
        </message>
        <message>
            <source>silent</source>
            <translation>応答なし</translation>
        </message>
        <message numerus="yes">
            <source>%Ln silent</source>
            <translation>
                <numerusform>応答なし %Ln台</numerusform>
            </translation>
        </message>
        <message>
            <source>nothing heard since %1 (%2)</source>
            <comment>a time, how long ago</comment>
            <translation>%1 から連絡なし（%2）</translation>
        </message>
        <message>
            <source>Show its fail&amp;ures</source>
            <translation>失敗を表示(&amp;U)</translation>
        </message>
        <message>
            <source>Causes of failures at this worker, including jobs taken by other workers since</source>
            <translation>このワーカーで失敗したものの原因。その後ほかのワーカーが受け取ったジョブも含みます</translation>
        </message>
        <message>
            <source>Its jobs were released when their leases ended. “Show its jobs” lists those that no other worker has taken since, “Show its failures” the causes of all.</source>
            <translation>リースが切れたときに、実行中のジョブは取り上げられました。「ジョブを表示」では、その後ほかのワーカーが受け取っていないものを、「失敗を表示」では、すべての原因を一覧できます。</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>実行中</translation>
        </message>
        <message>
            <source>No running jobs</source>
            <translation>実行中のジョブはありません</translation>
        </message>
        <message>
            <source>online</source>
            <translation>稼働中</translation>
        </message>
        <message>
            <source>late</source>
            <translation>応答遅延</translation>
        </message>
        <message>
            <source>Last heard from %1</source>
            <comment>how long ago</comment>
            <translation>最後の連絡：%1</translation>
        </message>
        <message>
            <source>pushed to</source>
            <translation>プッシュ型</translation>
        </message>
        <message>
            <source>pulls</source>
            <translation>プル型</translation>
        </message>
        <message numerus="yes">
            <source>%Ln worker(s) online</source>
            <translation>
                <numerusform>稼働中のワーカー %Ln台</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln late</source>
            <translation>
                <numerusform>応答遅延 %Ln台</numerusform>
            </translation>
        </message>
        <message>
            <source>Gets no new jobs and finishes its running ones</source>
            <translation>新しいジョブを受け取らず、実行中のジョブを終えます</translation>
        </message>
        <message>
            <source>Worker forgotten</source>
            <translation>ワーカーの登録を消しました</translation>
        </message>
        <message>
            <source>Removes a lost worker from the list</source>
            <translation>行方不明のワーカーの登録を消します</translation>
        </message>
        <message>
            <source>A worker that pulls can be forgotten once it is lost</source>
            <translation>プル型のワーカーは、行方不明になった後に登録を消せます</translation>
        </message>
        <message>
            <source>It leaves the list with its figures. It is listed again when it asks for jobs.</source>
            <translation>集計とともに一覧から消えます。ジョブを取りに来ると、また一覧に載ります。</translation>
        </message>
        <message>
            <source>Forget</source>
            <translation>登録を消す</translation>
        </message>
    </context>
</TS>
