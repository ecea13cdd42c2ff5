import type { SchemaItem } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { FunctionTag, functionTagLabels } from '@ithings/contract/thing-model/affordance.ts'
import { dataTypeLabels, type Param } from '@ithings/contract/thing-model/define.ts'
import {
  actionDirectionLabels,
  eventTypeLabels,
  FunctionType,
  functionTypeLabels,
  propertyModeLabels,
} from '@ithings/contract/thing-model/model.ts'
import { type Summary, summariseDefine, summariseParams } from '#blocks/model-form/define-summary.ts'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag, type StatusTone } from '#kit/status-tag.tsx'
import { partOfItem } from './function-draft.ts'

/** Data type of a property, kind of an event, direction of an action. */
function kindOf(item: SchemaItem): { text: string; tone: StatusTone } | undefined {
  const part = partOfItem(item)
  switch (part?.type) {
    case FunctionType.property:
      return { text: labelOf(dataTypeLabels, part.value.define.type), tone: 'default' }
    case FunctionType.event: {
      const tones: Record<string, StatusTone> = { alert: 'warning', fault: 'error' }
      return { text: labelOf(eventTypeLabels, part.value.type), tone: tones[part.value.type] ?? 'processing' }
    }
    case FunctionType.action:
      return { text: labelOf(actionDirectionLabels, part.value.dir), tone: 'default' }
    case undefined:
      return undefined
  }
}

const namesOf = (params: readonly Param[]): string => params.map((one) => one.identifier).join(', ') || t('无')

function summaryOf(item: SchemaItem): Summary {
  const part = partOfItem(item)
  switch (part?.type) {
    case FunctionType.property:
      return summariseDefine(part.value.define)
    case FunctionType.event:
      return summariseParams(part.value.params)
    case FunctionType.action:
      return {
        main: t('调用：{names}', { names: namesOf(part.value.input) }),
        detail: t('返回：{names}', { names: namesOf(part.value.output) }),
      }
    case undefined:
      return { main: t('定义无法识别') }
  }
}

/** What sets it apart, as tags: shadow, no history, standard function. */
function marksOf(item: SchemaItem): { text: string; tone: StatusTone }[] {
  const part = partOfItem(item)
  const property = part?.type === FunctionType.property ? part.value : undefined
  const plain = [
    property?.isNoRecord ? t('不存历史') : '',
    item.tag === FunctionTag.custom ? '' : labelOf(functionTagLabels, item.tag),
  ].filter(Boolean)
  return [
    ...(property?.isUseShadow ? [{ text: t('影子'), tone: 'processing' as const }] : []),
    ...plain.map((text) => ({ text, tone: 'default' as const })),
  ]
}

function modeOf(item: SchemaItem): string | undefined {
  const part = partOfItem(item)
  return part?.type === FunctionType.property ? labelOf(propertyModeLabels, part.value.mode) : undefined
}

const none = <span className="no-value">—</span>

interface ColumnOptions {
  /** The tab shows all types, so each row says its own. */
  mixed: boolean
  onOpen: (item: SchemaItem) => void
}

export const functionColumns = ({ mixed, onOpen }: ColumnOptions): ListColumn<SchemaItem>[] => [
  {
    key: 'name',
    title: t('功能名称'),
    dataIndex: 'name',
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <button type="button" className="plain-button start tone-processing" title={row.desc} onClick={() => onOpen(row)}>
        {row.name}
      </button>
    ),
  },
  {
    key: 'identifier',
    title: t('标识符'),
    dataIndex: 'identifier',
    phone: 'subtitle',
    render: (_value, row) => <Copyable text={row.identifier} maxWidth={200} />,
  },
  ...(mixed
    ? [
        {
          key: 'type',
          title: t('功能类型'),
          phone: 'status' as const,
          render: (_value: unknown, row: SchemaItem) => labelOf(functionTypeLabels, row.type),
        },
      ]
    : []),
  {
    key: 'dataType',
    title: t('数据类型'),
    phone: mixed ? 'meta' : 'status',
    render: (_value, row) => {
      const kind = kindOf(row)
      return kind ? <StatusTag filled text={kind.text} tone={kind.tone} /> : none
    },
  },
  { key: 'mode', title: t('读写'), phone: 'meta', render: (_value, row) => modeOf(row) ?? none },
  {
    key: 'define',
    title: t('数据定义'),
    phone: 'meta',
    render: (_value, row) => {
      const { main, detail } = summaryOf(row)
      return (
        <span
          className="define-summary inline-block cut"
          title={detail ? t('{main}，{detail}', { main, detail }) : main}
        >
          {main}
          {detail && <span className="quiet">{t('，{detail}', { detail })}</span>}
        </span>
      )
    },
  },
  {
    key: 'marks',
    title: t('标记'),
    phone: 'meta',
    render: (_value, row) => {
      const marks = marksOf(row)
      return marks.length === 0 ? (
        none
      ) : (
        <span className="inline-row gap-4">
          {marks.map(({ text, tone }) => (
            <StatusTag key={text} filled text={text} tone={tone} />
          ))}
        </span>
      )
    },
  },
]
