import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { Field } from './field.tsx'

export type Selector = 'all' | 'fixed' | 'group' | 'trigger'

const labels: Record<Selector, string> = {
  all: '全部设备',
  fixed: '指定设备',
  group: '设备分组',
  trigger: '触发设备',
}

export interface Range<S extends Selector> {
  selector: S
  selectorValues?: string[] | null | undefined
}

interface DeviceRangeProps<S extends Selector> {
  item: string
  /** Place of the selection inside the item: '' or `device.`. */
  prefix: string
  productID: string
  choices: readonly S[]
  value: Range<S>
  onChange: (range: Range<S>) => void
}

/** How many devices that are; of a group of mixed products nobody knows without counting. */
function GroupSize({ groupID, productID }: { groupID: string | undefined; productID: string }) {
  const group = useQuery(allGroupsQuery).data?.find((one) => one.groupID === groupID)
  if (!group || group.productID !== productID) return null
  return <span className="meta fixed nowrap">{t('{count, number} 台', { count: group.totalCount })}</span>
}

/** Which devices of a product: all, chosen ones, those of a group (and below it), or the one that started the scene. */
export function DeviceRange<S extends Selector>(props: DeviceRangeProps<S>) {
  const { item, prefix, productID, choices, value, onChange } = props
  const { selector, selectorValues } = value
  const offered = choices.includes(selector) ? choices : [...choices, selector]
  const choose = (selectorValues: string[]) => onChange({ selector, selectorValues })
  return (
    <>
      <Field item={item} name={`${prefix}selector`} width={102}>
        <Select
          aria-label={t('设备范围')}
          value={selector}
          options={offered.map((one) => ({ value: one, label: t(labels[one]) }))}
          // A group is no device: what was chosen belongs to the old range.
          onChange={(next: S) => onChange({ selector: next, selectorValues: null })}
        />
      </Field>
      {selector === 'fixed' && (
        <Field item={item} name={`${prefix}selectorValues`} width={160} grow>
          <DevicePicker
            multiple
            aria-label={t('设备')}
            productID={productID || undefined}
            value={selectorValues ?? []}
            onChange={choose}
          />
        </Field>
      )}
      {selector === 'group' && (
        <>
          <Field item={item} name={`${prefix}selectorValues`} width={120} grow>
            <GroupPicker
              value={selectorValues?.[0]}
              allowClear={false}
              onChange={(groupID) => choose(groupID ? [groupID] : [])}
            />
          </Field>
          <GroupSize groupID={selectorValues?.[0]} productID={productID} />
        </>
      )}
    </>
  )
}
