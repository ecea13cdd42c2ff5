import type { Device } from '@ithings/contract/features/devices/info.ts'
import { CommandKind, type CommandRow } from '@ithings/contract/features/devices/interact.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link } from 'react-router'
import { CommandList } from '#blocks/command-history/command-list.tsx'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { commandsQuery } from '../../live-queries.ts'
import { keyOf } from '../../queries.ts'
import { DeviceTab } from '../detail/tabs.ts'

const shown = 6

interface RecentCommandsProps {
  device: Device
  model: ThingModel
  /** Absent: who looks at it may not send. */
  onRepeat?: (row: CommandRow) => void
}

/** Messages of the debug page are repeated there. */
const repeatable = ({ kind }: CommandRow): boolean => kind === CommandKind.property || kind === CommandKind.action

export function RecentCommands({ device, model, onRepeat }: RecentCommandsProps) {
  const commands = useQuery(commandsQuery({ ...keyOf(device), page: { page: 1, size: shown } }))
  const rows = commands.data?.list ?? []
  return (
    <section className="recent-commands" aria-label="下发记录">
      <div className="recent-head flex between baseline gap-8">
        <h3>下发记录</h3>
        <Link to={`${deviceDetailPath(device, DeviceTab.data)}?view=commands`}>查看全部</Link>
      </div>
      {commands.isPending && <Skeleton active className="recent-wait" paragraph={{ rows: 3 }} title={false} />}
      {commands.isError && !commands.data && (
        <ErrorState compact subject="下发记录" error={commands.error} onRetry={() => void commands.refetch()} />
      )}
      {commands.data && rows.length === 0 && <p className="meta recent-empty">还没有下发过指令。</p>}
      <CommandList
        rows={rows}
        model={model}
        {...(onRepeat && { onRepeat: (row) => repeatable(row) && onRepeat(row) })}
      />
    </section>
  )
}
