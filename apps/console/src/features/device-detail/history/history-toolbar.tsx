import { LeftOutlined, LineChartOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { argFuncLabels, argFuncs } from '@ithings/contract/features/history.ts'
import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { Button, Segmented, Select, type SelectProps } from 'antd'
import { useId } from 'react'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { intervalOptions, rawInterval } from '#blocks/history-chart/interval.ts'
import { translated } from '#blocks/translated.ts'
import { ExportButton } from '#kit/export-button.tsx'
import { parseTimeChoice, TimePreset, timeChoiceText } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'
import { maxDevices, maxProperties } from './history-plan.ts'
import type { HistoryUrl, SetHistoryUrl } from './history-url.ts'

interface HistoryToolbarProps {
  url: HistoryUrl
  onChange: SetHistoryUrl
  /** Whose history is kept. */
  properties: readonly Property[]
  productID: string
  deviceName: string
  /** How far back values are kept. */
  valueDays: number
  onExport: (format: TableFormat) => void
}

const funcOptions = argFuncs.map((value) => ({ value, label: argFuncLabels[value] }))

function NamedSelect<T extends string | number>({ label, ...props }: SelectProps<T> & { label: string }) {
  const id = useId()
  return (
    <span className="inline-row softer gap-8">
      <label htmlFor={id}>{label}</label>
      <Select<T> id={id} style={{ width: 120 }} {...props} />
    </span>
  )
}

export function HistoryToolbar(props: HistoryToolbarProps) {
  const { url, onChange, properties, deviceName } = props
  return (
    <>
      <div className="history-bar gap-8-12 row wrap below-12">
        <Button type="text" icon={<LeftOutlined />} onClick={() => onChange({ props: [], devices: [] })}>
          {t('全部属性')}
        </Button>
        <TimeFilter
          value={parseTimeChoice(url.time) ?? { preset: TimePreset.today }}
          maxDays={props.valueDays}
          onChange={(choice) => choice && onChange({ time: timeChoiceText(choice) })}
        />
      </div>
      <div className="history-bar gap-8-12 row wrap below-12">
        <Select
          mode="multiple"
          className="history-properties"
          aria-label={t('显示的属性')}
          placeholder={t('选择属性')}
          maxCount={maxProperties}
          maxTagCount="responsive"
          value={url.props}
          options={properties.map(({ identifier, name }) => ({ value: identifier, label: name }))}
          showSearch={{ optionFilterProp: ['label', 'value'] }}
          onChange={(chosen) => onChange({ props: chosen.length > 0 ? chosen : url.props })}
        />
        <div className="history-devices">
          <DevicePicker
            multiple
            aria-label={t('对比的设备')}
            placeholder={t('对比其他设备')}
            productID={props.productID}
            value={url.devices}
            onChange={(names: string[]) =>
              onChange({ devices: names.filter((name) => name !== deviceName).slice(0, maxDevices - 1) })
            }
          />
        </div>
        <NamedSelect
          label={t('统计周期')}
          value={url.interval}
          options={translated(intervalOptions)}
          onChange={(interval) => onChange({ interval })}
        />
        <NamedSelect
          label={t('统计规则')}
          disabled={url.interval === rawInterval}
          value={url.func}
          options={translated(funcOptions)}
          onChange={(func) => onChange({ func })}
        />
        <span className="inline-row wrap to-end gap-8">
          <Segmented<HistoryUrl['as']>
            aria-label={t('显示方式')}
            value={url.as}
            options={[
              { value: 'chart', icon: <LineChartOutlined />, label: t('图表') },
              { value: 'table', icon: <UnorderedListOutlined />, label: t('表格') },
            ]}
            onChange={(as) => onChange({ as })}
          />
          <ExportButton onPick={props.onExport} />
        </span>
      </div>
    </>
  )
}
