import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useEffect, useRef } from 'react'
import { Loaded } from '#kit/states/loaded.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { actionText, MessageLine } from './log-cells.tsx'
import { contextLines, logContextQuery } from './log-query.ts'
import './log-table.css'
import { reasonText } from './sessions.ts'

interface LogContextProps extends Opened {
  row: HubLogRow | undefined
  onPick: (row: HubLogRow) => void
}

/** screens.md 19: the lines of the same device around one, whatever the list filters by. */
export function LogContext({ row, onPick, ...opened }: LogContextProps) {
  const phone = usePhone()
  return (
    <Drawer
      {...opened}
      title={row ? t('{name} 前后各 {count} 条', { name: row.deviceName, count: contextLines }) : ''}
      size={phone ? '100%' : 720}
      closable={{ placement: 'end' }}
    >
      {row && <Lines key={row.tranceID} row={row} onPick={onPick} />}
    </Drawer>
  )
}

function Lines({ row, onPick }: { row: HubLogRow; onPick: (row: HubLogRow) => void }) {
  const lines = useQuery(logContextQuery(row))
  const here = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (lines.data) here.current?.scrollIntoView({ block: 'center' })
  }, [lines.data])
  return (
    <Loaded query={lines} subject={t('前后日志')} rows={12}>
      {(list) => (
        <ol className="message-lines bare-list">
          {list.map((line) => (
            <li key={line.tranceID} ref={line.tranceID === row.tranceID ? here : null}>
              <MessageLine row={line} current={line.tranceID === row.tranceID} onShow={onPick}>
                <span className="cut">
                  {actionText(line.action)} <span className="mono-payload">{line.method}</span>{' '}
                  <span className="mono-payload meta">
                    {line.msg || (line.method === '' ? reasonText(line) : line.content)}
                  </span>
                </span>
              </MessageLine>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}
