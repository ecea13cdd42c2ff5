import { type Device, type LogLevel, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { App, Segmented } from 'antd'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { logLevelOptions } from '../../labels.ts'
import { keyOf, useUpdateDevice } from '../../queries.ts'
import { Card } from './card.tsx'

/** screens.md 6.1: which of its local logs the device sends. Shown at once, taken back when refused. */
export function LogLevelCard({ device }: { device: Device }) {
  const { message } = App.useApp()
  const update = useUpdateDevice()
  const may = useMay()
  const wanted = update.isPending ? update.variables.logLevel : undefined
  const set = (logLevel: LogLevel) =>
    update.mutate(
      { ...keyOf(device), logLevel },
      {
        onSuccess: () => void message.success('更新成功'),
        onError: (error) => void message.error(`日志级别未保存：${describeError(error).reason}`),
      },
    )
  return (
    <Card title="本地日志">
      <div className="log-levels">
        <Segmented<number>
          aria-label="日志级别"
          options={logLevelOptions}
          value={Number(wanted ?? device.logLevel)}
          disabled={update.isPending || !may(updateDevice)}
          onChange={(value) => set(value as LogLevel)}
        />
      </div>
      <p className="meta device-note">达到这一级别的本地日志才会上报并保存；关闭则不上报。</p>
    </Card>
  )
}
