/** What became of one message: steps, content, reply and the messages of the same request (screens.md 6.5). */

import { CheckCircleFilled, CloseCircleFilled, ExportOutlined, MinusCircleFilled } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import { type HubLogRow, readTrace } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { Link } from 'react-router'
import { endpointQuery } from '#api/endpoint-query.ts'
import { DeviceLink } from '#blocks/device-link.tsx'
import { Facts } from '#blocks/facts.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { downloadText } from '#kit/download.ts'
import { JsonView } from '#kit/json-view.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { WhyRefused } from '../log-table/hub-log-detail.tsx'
import {
  actionText,
  LatencyChip,
  latencyText,
  MessageLine,
  ResultTag,
  WayMark,
  wayText,
} from '../log-table/log-cells.tsx'
import { shownContent } from '../log-table/shown-content.ts'
import './message-trace.css'
import { scenePath } from '#kit/paths.ts'

type Trace = DataOf<typeof readTrace>

interface MessageTraceProps extends Opened {
  tranceID: string | undefined
  /** Another message of the same request. */
  onShow: (row: HubLogRow) => void
}

export function MessageTrace({ tranceID, onShow, ...opened }: MessageTraceProps) {
  const phone = usePhone()
  return (
    <Drawer {...opened} title={t('消息跟踪')} size={phone ? '100%' : 560} closable={{ placement: 'end' }}>
      {tranceID && <TraceBody key={tranceID} tranceID={tranceID} onShow={onShow} />}
    </Drawer>
  )
}

function TraceBody({ tranceID, onShow }: { tranceID: string; onShow: (row: HubLogRow) => void }) {
  const trace = useQuery(endpointQuery(readTrace, { tranceID }, { quiet: true }))
  const save = () => downloadText(JSON.stringify(trace.data, null, 2), `trace-${tranceID}.json`)
  return (
    <Loaded query={trace} subject={t('消息跟踪')} rows={12}>
      {(data) => (
        <div className="trace">
          <TraceHead trace={data} />
          <WhyRefused row={data.entry} />
          <Steps steps={data.steps} />
          <Scenes scenes={data.scenes} />
          <h3>{t('消息内容')}</h3>
          <JsonView value={shownContent(data.entry.content)} fileName={`message-${tranceID}.json`} openLevels={4} />
          {data.related.length > 0 && <Related rows={withEntry(data)} current={tranceID} onShow={onShow} />}
          <div className="flex at-end above-16">
            <Button icon={<ExportOutlined />} onClick={save}>
              {t('导出轨迹')}
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  )
}

/** The whole request, old to new; trace ids follow the order of receipt. */
const withEntry = ({ entry, related }: Trace): HubLogRow[] =>
  [entry, ...related.filter(({ tranceID }) => tranceID !== entry.tranceID)].toSorted((one, other) =>
    one.tranceID < other.tranceID ? -1 : 1,
  )

const TraceHead = ({ trace: { entry, deviceTime } }: { trace: Trace }) => (
  <>
    <div className="trace-title gap-4-12 row wrap below-12">
      <WayMark way={entry.way} />
      <b>{entry.method ? <span className="mono">{entry.method}</span> : actionText(entry.action)}</b>
      <ResultTag row={entry} />
      {entry.latency > 0 && <LatencyChip ms={entry.latency} />}
    </div>
    <Facts
      className="facts-wide trace-facts"
      facts={[
        { label: t('设备'), value: <DeviceLink device={entry} /> },
        { label: t('方向'), value: `${wayText(entry.way)} · ${actionText(entry.action)}` },
        { label: t('平台时间'), value: <TimeText value={entry.timestamp} mode="log" /> },
        { label: t('设备时间'), value: <TimeText value={deviceTime} mode="log" /> },
        ...(entry.topic ? [{ label: 'Topic', value: <Copyable text={entry.topic} /> }] : []),
        { label: t('RequestID'), value: <Copyable text={entry.requestID} /> },
        { label: t('跟踪号'), value: <Copyable text={entry.tranceID} /> },
      ]}
    />
  </>
)

function Steps({ steps }: { steps: Trace['steps'] }) {
  if (steps.length === 0) return null
  return (
    <>
      <h3>{t('处理过程')}</h3>
      <ol className="bare-list">
        {steps.map(({ name, ok, text }) => (
          <li key={`${name} ${text}`} className="trace-row top grid relative trace-step">
            {ok ? (
              <CheckCircleFilled className="trace-good" aria-label={t('通过')} />
            ) : (
              <CloseCircleFilled className="trace-bad" aria-label={t('未通过')} />
            )}
            <b>{name}</b>
            <span className={ok ? 'softer anywhere' : 'tone-error anywhere'}>{text}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

type TracedScene = Trace['scenes'][number]

/** A scene may be asked by several of its triggers: the run, or the words of the miss, tell them apart. */
const keyOf = ({ sceneID, runID, text }: TracedScene) => `${sceneID} ${runID} ${text}`

/** Which scenes the message started or nearly did, and why not. */
function Scenes({ scenes }: { scenes: readonly TracedScene[] }) {
  if (scenes.length === 0) return null
  return (
    <>
      <h3>{t('场景联动')}</h3>
      <ul className="bare-list">
        {scenes.map((scene) => (
          <li key={keyOf(scene)} className="trace-row top grid relative trace-scene">
            {scene.runID === '' ? (
              <MinusCircleFilled className="disabled-text" role="img" aria-label={t('未触发')} />
            ) : (
              <CheckCircleFilled className="trace-good" role="img" aria-label={t('已触发')} />
            )}
            <Link to={scenePath(scene.sceneID)}>{scene.sceneName}</Link>
            <span className={scene.runID !== '' && !scene.ok ? 'tone-error anywhere' : 'softer anywhere'}>
              {scene.text}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

interface RelatedProps {
  rows: readonly HubLogRow[]
  current: string
  onShow: (row: HubLogRow) => void
}

/** A time line of one request: each message with the time since the first. */
function Related({ rows, current, onShow }: RelatedProps) {
  const began = Number(rows[0]?.timestamp ?? 0)
  return (
    <>
      <h3>{t('同一请求的消息')}</h3>
      <ol className="message-lines trace-related lined round-6 bare-list">
        {rows.map((row) => {
          const since = Number(row.timestamp) - began
          return (
            <li key={row.tranceID}>
              <MessageLine row={row} current={row.tranceID === current} onShow={onShow}>
                <span className="row between gap-8">
                  <span className="mono cut">{row.method || row.action}</span>
                  <span className="meta">{since > 0 ? `+${latencyText(since)}` : ''}</span>
                </span>
              </MessageLine>
            </li>
          )
        })}
      </ol>
    </>
  )
}
