/** Filters of the hub log; their names stand in the URL and are shared by all its tabs (screens.md 6.5, 19). */

import { hubActionLabels, hubActions, ResultType } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { TimePreset } from '#kit/time-choice.ts'

/** An hour of a talking device is enough to look at first. */
export const defaultTime = String(TimePreset.hour)

export const timeField: FilterField = { name: 'time', label: '时间', control: 'time', initial: defaultTime }
export const keywordField: FilterField = { name: 'content', label: '关键字', control: 'text', width: 176 }

const resultOptions = [
  { value: ResultType.ok, label: '成功' },
  { value: ResultType.failed, label: '失败' },
]

export const hubLogFields = (actions: readonly string[] = hubActions): FilterField[] => [
  keywordField,
  { name: 'requestID', label: 'RequestID', control: 'text', placeholder: t('输入 RequestID'), width: 176 },
  {
    name: 'action',
    label: t('类别'),
    control: 'select',
    width: 120,
    options: hubActions
      .filter((one) => actions.includes(one))
      .map((value) => ({ value, label: hubActionLabels[value] })),
  },
  { name: 'resultType', label: t('结果'), control: 'select', width: 104, options: resultOptions },
  timeField,
  { name: 'topic', label: 'Topic', control: 'text', width: 400, placeholder: t('输入完整的 Topic'), advanced: true },
]
