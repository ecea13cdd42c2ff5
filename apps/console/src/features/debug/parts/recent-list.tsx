import { Button } from 'antd'
import { type RecentDevice, readRecent } from '#blocks/recent-devices.ts'

/** Back to a device somebody worked with before. */
export function RecentList({ onPick }: { onPick: (device: RecentDevice) => void }) {
  const recent = readRecent()
  if (recent.length === 0) return null
  return (
    <div className="debug-recents row wrap gap-8">
      <span className="meta">最近调试</span>
      {recent.map((device) => (
        <Button key={`${device.productID}/${device.deviceName}`} size="small" onClick={() => onPick(device)}>
          {device.title}
        </Button>
      ))}
    </div>
  )
}
