import type { HubLogRow } from '@ithings/contract/features/devices/msg.ts'
import { useQuery } from '@tanstack/react-query'
import { Drawer, Skeleton } from 'antd'
import { useEffect, useRef } from 'react'
import { ErrorState } from '#kit/states/error-state.tsx'
import { formatTime } from '#kit/time.ts'
import { usePhone } from '#kit/use-phone.ts'
import { actionText, ResultTag, WayMark } from './log-cells.tsx'
import { contextLines, logContextQuery } from './log-query.ts'
import './log-table.css'
import { reasonText } from './sessions.ts'

interface LogContextProps {
  row: HubLogRow | undefined
  open: boolean
  onPick: (row: HubLogRow) => void
  onClose: () => void
}

/** screens.md 19: the lines of the same device around one, whatever the list filters by. */
export function LogContext({ row, open, onPick, onClose }: LogContextProps) {
  const phone = usePhone()
  return (
    <Drawer
      title={row ? `${row.deviceName} 前后各 ${contextLines} 条` : ''}
      open={open}
      onClose={onClose}
      size={phone ? '100%' : 720}
      closable={{ placement: 'end' }}
    >
      {row && <Lines key={row.tranceID} row={row} onPick={onPick} />}
    </Drawer>
  )
}

function Lines({ row, onPick }: { row: HubLogRow; onPick: (row: HubLogRow) => void }) {
  const { data, error, isFetching, refetch } = useQuery(logContextQuery(row))
  const here = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (data) here.current?.scrollIntoView({ block: 'center' })
  }, [data])
  if (error) {
    return <ErrorState subject="前后日志" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} />
  return (
    <ol className="log-context-lines bare-list">
      {data.map((line) => {
        const isHere = line.tranceID === row.tranceID
        return (
          <li key={line.tranceID} ref={isHere ? here : null} className={isHere ? 'log-context-here' : ''}>
            <button
              type="button"
              className="plain-button log-context-line"
              aria-current={isHere}
              onClick={() => onPick(line)}
            >
              <span className="mono-payload">{formatTime(line.timestamp, 'HH:mm:ss.SSS')}</span>
              <WayMark way={line.way} />
              <span className="cut">
                {actionText(line.action)} <span className="mono-payload">{line.method}</span>{' '}
                <span className="mono-payload meta">
                  {line.msg || (line.method === '' ? reasonText(line) : line.content)}
                </span>
              </span>
              <ResultTag row={line} />
            </button>
          </li>
        )
      })}
    </ol>
  )
}
