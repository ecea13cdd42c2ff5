/** What became of one message: steps, content, reply and the messages of the same request (screens.md 6.5). */
import { CheckCircleFilled, CloseCircleFilled, ExportOutlined } from '@ant-design/icons'
import type { BodyInput, DataOf } from '@ithings/contract/endpoint.ts'
import { type HubLogRow, readTrace } from '@ithings/contract/features/devices/msg.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { endpointQuery } from '#api/endpoint-query.ts'
import { DeviceLink } from '#blocks/device-link.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { downloadText } from '#kit/download.ts'
import { JsonView } from '#kit/json-view.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { WhyRefused } from '../log-table/hub-log-detail.tsx'
import { actionText, LatencyChip, ResultTag, WayMark, wayText } from '../log-table/log-cells.tsx'
import { shownContent } from '../log-table/shown-content.ts'
import './message-trace.css'
import { RelatedMessages } from './related-messages.tsx'
import { TracedScenes } from './traced-scenes.tsx'

type Trace = DataOf<typeof readTrace>

const traceQuery = (body: BodyInput<typeof readTrace>) => endpointQuery(readTrace, body, { quiet: true })

interface MessageTraceProps {
  tranceID: string | undefined
  open: boolean
  onClose: () => void
  /** Another message of the same request. */
  onShow: (row: HubLogRow) => void
}

export function MessageTrace({ tranceID, open, onClose, onShow }: MessageTraceProps) {
  const phone = usePhone()
  return (
    <Drawer title="消息跟踪" open={open} onClose={onClose} size={phone ? '100%' : 560} closable={{ placement: 'end' }}>
      {tranceID && <TraceBody key={tranceID} tranceID={tranceID} onShow={onShow} />}
    </Drawer>
  )
}

function TraceBody({ tranceID, onShow }: { tranceID: string; onShow: (row: HubLogRow) => void }) {
  const { data, error, isFetching, refetch } = useQuery(traceQuery({ tranceID }))
  if (error && !data) {
    return <ErrorState subject="消息跟踪" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  return (
    <div className="trace">
      <TraceHead trace={data} />
      <WhyRefused row={data.entry} />
      <Steps steps={data.steps} />
      <TracedScenes scenes={data.scenes} />
      <h3>消息内容</h3>
      <JsonView value={shownContent(data.entry.content)} fileName={`message-${tranceID}.json`} openLevels={4} />
      {data.related.length > 0 && (
        <>
          <h3>同一请求的消息</h3>
          <RelatedMessages rows={withEntry(data)} current={tranceID} onShow={onShow} />
        </>
      )}
      <div className="trace-foot">
        <Button
          icon={<ExportOutlined />}
          onClick={() => downloadText(JSON.stringify(data, null, 2), `trace-${tranceID}.json`)}
        >
          导出轨迹
        </Button>
      </div>
    </div>
  )
}

/** The whole request, old to new; trace ids follow the order of receipt. */
const withEntry = ({ entry, related }: Trace): HubLogRow[] =>
  [entry, ...related.filter(({ tranceID }) => tranceID !== entry.tranceID)].toSorted((one, other) =>
    one.tranceID < other.tranceID ? -1 : 1,
  )

function TraceHead({ trace: { entry, deviceTime } }: { trace: Trace }) {
  return (
    <>
      <div className="trace-title row wrap">
        <WayMark way={entry.way} />
        <b>{entry.method ? <span className="mono">{entry.method}</span> : actionText(entry.action)}</b>
        <ResultTag row={entry} />
        {entry.latency > 0 && <LatencyChip ms={entry.latency} />}
      </div>
      <dl className="trace-facts">
        <Fact label="设备">
          <DeviceLink device={entry} />
        </Fact>
        <Fact label="方向">
          {wayText(entry.way)} · {actionText(entry.action)}
        </Fact>
        <Fact label="平台时间">
          <TimeText value={entry.timestamp} mode="log" />
        </Fact>
        <Fact label="设备时间">
          <TimeText value={deviceTime} mode="log" />
        </Fact>
        {entry.topic && (
          <Fact label="Topic">
            <Copyable text={entry.topic} />
          </Fact>
        )}
        <Fact label="RequestID">
          <Copyable text={entry.requestID} />
        </Fact>
        <Fact label="跟踪号">
          <Copyable text={entry.tranceID} />
        </Fact>
      </dl>
    </>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

function Steps({ steps }: { steps: Trace['steps'] }) {
  if (steps.length === 0) return null
  return (
    <>
      <h3>处理过程</h3>
      <ol className="bare-list">
        {steps.map(({ name, ok, text }) => (
          <li key={`${name} ${text}`} className={ok ? 'trace-step' : 'trace-step trace-step-failed'}>
            {ok ? <CheckCircleFilled aria-label="通过" /> : <CloseCircleFilled aria-label="未通过" />}
            <b>{name}</b>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </>
  )
}
