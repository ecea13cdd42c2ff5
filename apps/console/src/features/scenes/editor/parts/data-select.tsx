import { t } from '@ithings/contract/text.ts'
import type { Define } from '@ithings/contract/thing-model/define.ts'
import { Select } from 'antd'
import { useEditor } from '../editor-context.ts'
import { choicesOf, type DataChoice, dataKey, dataOfKey } from '../logic/model-data.ts'

interface DataSelectProps {
  kind: 'property' | 'event'
  productID: string
  dataID: readonly string[]
  /** Properties that cannot be compared are offered only where a report as such counts. */
  comparable?: boolean
  /** The whole device instead of one property. */
  anyLabel?: string
  onChange: (dataID: string[], define: Define | undefined) => void
}

const isComparable = ({ define }: DataChoice) => define?.type !== 'array' && define?.type !== 'struct'

const words = { property: { name: '属性', choose: '选择属性' }, event: { name: '事件', choose: '选择事件' } }

/** A property (or member) or event (or parameter) of the product's model. */
export function DataSelect(props: DataSelectProps) {
  const { kind, productID, dataID, comparable = false, anyLabel, onChange } = props
  const { models } = useEditor()
  const model = models.get(productID)
  const choices = choicesOf(model, kind).filter((choice) => !comparable || isComparable(choice))
  const chosen = dataKey(dataID)
  const known = choices.some((choice) => dataKey(choice.dataID) === chosen)
  const options = [
    ...(anyLabel ? [{ value: '', label: anyLabel, identifier: '' }] : []),
    ...choices.map((choice) => ({
      value: dataKey(choice.dataID),
      label: choice.name,
      identifier: dataKey(choice.dataID),
    })),
    // What the model no longer has stays visible, until somebody chooses another.
    ...(chosen && !known
      ? [{ value: chosen, label: model ? t('{name}（已不存在）', { name: chosen }) : chosen, identifier: '' }]
      : []),
  ]
  return (
    <Select
      aria-label={t(words[kind].name)}
      placeholder={productID ? t(words[kind].choose) : t('先选择产品')}
      disabled={!productID || undefined}
      loading={productID !== '' && !model}
      value={chosen || (anyLabel ? '' : null)}
      options={options}
      popupMatchSelectWidth={260}
      showSearch={{ optionFilterProp: ['label', 'identifier'] }}
      optionRender={({ data }) => (
        <span className="flex between gap-12">
          <span>{data.label}</span>
          <span className="mono quiet">{data.identifier}</span>
        </span>
      )}
      onChange={(key: string) => {
        const choice = choices.find((one) => dataKey(one.dataID) === key)
        onChange(dataOfKey(key), choice?.define)
      }}
    />
  )
}
