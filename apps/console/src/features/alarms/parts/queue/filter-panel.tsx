import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Checkbox } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { call } from '#api/call.ts'
import { AlarmPicker } from '#blocks/alarm-picker.tsx'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import type { FilterTexts } from '#kit/list-page/filter-values.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'
import { parseTimeChoice, timeChoiceText } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'
import { panelNames } from '../../queue-filter.ts'

const optionOf = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })
const quiet = { quiet: true }

const sceneSource: PickerSource = {
  key: [listScenes.path],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listScenes, { name: text, page: { page, size } }, quiet)
    return { list: list.map(optionOf), total }
  },
  resolve: async (ids) => {
    const { list } = await call(listScenes, { sceneIDs: ids.map(Number), page: { page: 1, size: ids.length } }, quiet)
    return list.map(optionOf)
  },
}

/** The conditions behind 筛选; nothing is searched for before 应用. */
export function FilterPanel({ values, onApply }: { values: FilterTexts; onApply: (values: FilterTexts) => void }) {
  const id = useId()
  const [draft, setDraft] = useState(values)
  const change = (name: string) => (value: string | undefined) =>
    setDraft((before) => {
      const { [name]: _, ...rest } = before
      // A device of another product is none.
      if (name === 'productID') delete rest.deviceName
      return value === undefined ? rest : { ...rest, [name]: value }
    })
  const bind = (name: string) => ({ id: `${id}-${name}`, value: draft[name], onChange: change(name) })
  const field = (name: string, label: string, control: ReactNode) => (
    <div className="column gap-4">
      <label className="softer" htmlFor={`${id}-${name}`}>
        {label}
      </label>
      {control}
    </div>
  )
  const clear = () => {
    const kept = Object.entries(draft).filter(([name]) => !panelNames.some((one) => one === name))
    onApply(Object.fromEntries(kept))
  }
  return (
    <div className="fit column gap-12" style={{ width: 400 }}>
      {field('alarmID', t('告警'), <AlarmPicker {...bind('alarmID')} />)}
      {field('productID', t('产品'), <ProductPicker {...bind('productID')} placeholder={t('全部产品')} />)}
      {field('deviceName', t('设备'), <DevicePicker {...bind('deviceName')} productID={draft.productID} />)}
      {field(
        'sceneID',
        t('场景'),
        <RemotePicker {...bind('sceneID')} source={sceneSource} placeholder={t('全部场景')} />,
      )}
      {field(
        'time',
        t('告警时间'),
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
        {t('只看超过处理时限的')}
      </Checkbox>
      <div className="flex at-end gap-8">
        <Button onClick={clear}>{t('清空')}</Button>
        <Button type="primary" onClick={() => onApply(draft)}>
          {t('应用')}
        </Button>
      </div>
    </div>
  )
}
