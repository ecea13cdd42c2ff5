/** The query form of the device list and what it means on the wire. */

import type { BodyInput } from '@ithings/contract/endpoint.ts'
import type { listDevices } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { Checkbox } from 'antd'
import { deviceEnabledOptions } from '#blocks/device/labels.ts'
import { deviceStatusOptions, deviceTypeOptions } from '#blocks/device-status.tsx'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { tagFilterField, tagsOf } from '#blocks/tags.tsx'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import type { KeyValue } from '#kit/tag-input.tsx'
import './devices.css'

export interface DeviceFilters {
  keyword?: string
  productID?: string
  deviceType?: 1 | 2 | 3
  tags?: string
  status?: 1 | 2 | 3
  version?: string
  /** `12` with the groups below, `12.own` without. */
  group?: string
  isEnable?: 1 | 2
}

export interface GroupChoice {
  groupID: string
  includeChildren: boolean
}

export function readGroupChoice(text: string | undefined): GroupChoice | undefined {
  const parts = /^(\d{1,15})(\.own)?$/.exec(text ?? '')
  return parts?.[1] ? { groupID: parts[1], includeChildren: parts[2] === undefined } : undefined
}

export const groupChoiceText = ({ groupID, includeChildren }: GroupChoice): string =>
  includeChildren ? groupID : `${groupID}.own`

export type WireFilter = Omit<BodyInput<typeof listDevices>, 'page' | 'withProperties'>

/** The same body for the list, the counters and the export. */
export function deviceFilterBody({ tags, group, ...rest }: DeviceFilters): WireFilter {
  const choice = readGroupChoice(group)
  return {
    ...rest,
    ...tagsOf(tags),
    ...(choice && { inGroupID: choice.groupID, includeChildren: choice.includeChildren }),
  }
}

interface GroupFilterProps {
  id: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function GroupFilter({ id, value, onChange }: GroupFilterProps) {
  const choice = readGroupChoice(value)
  const includeChildren = choice?.includeChildren ?? true
  return (
    <span className="group-filter row gap-8">
      <GroupPicker
        id={id}
        value={choice?.groupID}
        placeholder={t('全部分组')}
        onChange={(groupID) => onChange(groupID && groupChoiceText({ groupID, includeChildren }))}
      />
      <Checkbox
        checked={includeChildren}
        disabled={!choice}
        onChange={({ target }) =>
          choice && onChange(groupChoiceText({ groupID: choice.groupID, includeChildren: target.checked }))
        }
      >
        {t('含子分组')}
      </Checkbox>
    </span>
  )
}

interface FieldParts {
  suggestions: readonly KeyValue[]
  /** Names for the words of the no-match state. */
  productName?: string | undefined
  groupName?: string | undefined
}

export const deviceFields = ({ suggestions, productName, groupName }: FieldParts): FilterField[] => [
  { name: 'keyword', label: t('设备'), control: 'text', placeholder: t('设备名称或别名'), width: 152 },
  {
    name: 'productID',
    label: t('所属产品'),
    control: 'custom',
    width: 168,
    render: ({ id, value, onChange }) => (
      <ProductPicker id={id} value={value} onChange={onChange} placeholder={t('全部产品')} />
    ),
    describe: (productID) => productName ?? productID,
  },
  { name: 'deviceType', label: t('设备类型'), control: 'select', options: deviceTypeOptions, width: 92 },
  { ...tagFilterField(t('设备标签'), suggestions), width: 160 },
  { name: 'status', label: t('在线状态'), control: 'select', options: deviceStatusOptions, width: 96, advanced: true },
  {
    name: 'isEnable',
    label: t('启用状态', { context: 'label' }),
    control: 'select',
    options: deviceEnabledOptions(),
    width: 92,
    advanced: true,
  },
  { name: 'version', label: t('固件版本'), control: 'text', placeholder: t('版本号'), width: 108, advanced: true },
  {
    name: 'group',
    label: t('所属分组'),
    control: 'custom',
    width: 244,
    advanced: true,
    render: (props) => <GroupFilter {...props} />,
    describe: (text) => groupName ?? text,
  },
]
