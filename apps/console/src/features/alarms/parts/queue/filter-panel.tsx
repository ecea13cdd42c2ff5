import { Button, Checkbox } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { AlarmPicker } from '#blocks/alarm-picker.tsx'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import type { FilterTexts } from '#kit/list-page/filter-values.ts'
import { parseTimeChoice, timeChoiceText } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'
import { panelNames } from '../../queue-filter.ts'
import { ScenePicker } from './scene-picker.tsx'

interface FilterPanelProps {
  values: FilterTexts
  onApply: (values: FilterTexts) => void
}

/** The conditions behind 筛选; nothing is searched for before 应用. */
export function FilterPanel({ values, onApply }: FilterPanelProps) {
  const id = useId()
  const [draft, setDraft] = useState(values)
  const change = (name: string) => (value: string | undefined) =>
    setDraft((before) => {
      const { [name]: _, ...rest } = before
      // A device of another product is none.
      if (name === 'productID') delete rest.deviceName
      return value === undefined ? rest : { ...rest, [name]: value }
    })
  const field = (name: string, label: string, control: ReactNode) => (
    <div className="queue-filter-field column gap-4">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      {control}
    </div>
  )
  const clear = () => {
    const kept = Object.entries(draft).filter(([name]) => !panelNames.some((one) => one === name))
    onApply(Object.fromEntries(kept))
  }
  return (
    <div className="queue-filter column gap-12">
      {field(
        'alarmID',
        '告警',
        <AlarmPicker id={`${id}-alarmID`} value={draft.alarmID} onChange={change('alarmID')} />,
      )}
      {field(
        'productID',
        '产品',
        <ProductPicker
          id={`${id}-productID`}
          placeholder="全部产品"
          value={draft.productID}
          onChange={change('productID')}
        />,
      )}
      {field(
        'deviceName',
        '设备',
        <DevicePicker
          id={`${id}-deviceName`}
          productID={draft.productID}
          value={draft.deviceName}
          onChange={change('deviceName')}
        />,
      )}
      {field(
        'sceneID',
        '场景',
        <ScenePicker id={`${id}-sceneID`} value={draft.sceneID} onChange={change('sceneID')} />,
      )}
      {field(
        'time',
        '告警时间',
        <TimeFilter
          allowClear
          maxDays={365}
          value={draft.time ? parseTimeChoice(draft.time) : undefined}
          onChange={(choice) => change('time')(choice && timeChoiceText(choice))}
        />,
      )}
      <Checkbox
        checked={draft.overdue === '1'}
        onChange={(event) => change('overdue')(event.target.checked ? '1' : undefined)}
      >
        只看超过处理时限的
      </Checkbox>
      <div className="queue-filter-foot flex gap-8">
        <Button onClick={clear}>清空</Button>
        <Button type="primary" onClick={() => onApply(draft)}>
          应用
        </Button>
      </div>
    </div>
  )
}
