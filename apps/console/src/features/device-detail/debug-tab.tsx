import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useSearchParams } from 'react-router'
import { CommandPanel } from '#blocks/command-panel/command-panel.tsx'

/** screens.md 6.9; a link may name the topic to begin with (6.12 发送测试). */
export function DebugTab({ device }: { device: Device }) {
  const [params] = useSearchParams()
  const topic = params.get('topic')
  return <CommandPanel device={device} initial={topic ? { kind: 'message', target: topic, data: '' } : undefined} />
}
