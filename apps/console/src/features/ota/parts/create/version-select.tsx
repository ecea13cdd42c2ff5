import { firmwareLimits } from '@ithings/contract/features/ota/firmware.ts'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { describeError } from '#kit/states/describe-error.ts'
import { deviceVersionsQuery } from '../../queries.ts'

interface VersionSelectProps {
  id: string
  firmwareID: number
  /** The version of the package: nobody upgrades from it. */
  target: string
  value: string[]
  onChange: (versions: string[]) => void
  disabled?: boolean
  required?: boolean
}

/** Versions that devices run now, with their counts; a version that no device told yet may be typed. */
export function VersionSelect(props: VersionSelectProps) {
  const { id, firmwareID, target, value, onChange, disabled = false, required = false } = props
  const versions = useQuery(deviceVersionsQuery(firmwareID))
  const options = (versions.data ?? [])
    .filter(({ version }) => version !== '' && version !== target)
    .map(({ version, count, online }) => ({ value: version, label: version, count, online }))
  return (
    <Select
      id={id}
      mode="tags"
      allowClear
      maxCount={firmwareLimits.versions}
      disabled={disabled}
      value={value}
      loading={versions.isFetching}
      options={options}
      tokenSeparators={[',', '，', ' ']}
      placeholder={required ? '选择或输入版本' : '不选则不限版本'}
      style={{ width: '100%' }}
      optionRender={({ data }) => (
        <span className="picker-option">
          <span className="mono">{data.label}</span>
          {data.count !== undefined && (
            <span className="picker-hint">
              {data.count.toLocaleString()} 台，在线 {data.online?.toLocaleString()}
            </span>
          )}
        </span>
      )}
      notFoundContent={versions.isError ? describeError(versions.error).reason : '没有设备上报过版本'}
      onChange={onChange}
    />
  )
}
