import { DeleteOutlined } from '@ant-design/icons'
import {
  type DeviceTrigger,
  type OperationSchema,
  type StateKeep,
  type TriggerOperator,
  triggerOperatorLabels,
  triggerOperators,
} from '@ithings/contract/rules/device-trigger.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Checkbox, InputNumber, Segmented, Select } from 'antd'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { itemAnchor, useEditor } from '../editor-context.ts'
import type { TriggerItem } from '../logic/draft.ts'
import {
  firstTerm,
  type KeepKind,
  keepChoices,
  keepOf,
  withKeep,
  withOperator,
  withProduct,
} from '../logic/edit-trigger.ts'
import { findChoice } from '../logic/model-data.ts'
import { DataSelect } from '../parts/data-select.tsx'
import { DeviceRange } from '../parts/device-range.tsx'
import { DurationInput, SecondsInput } from '../parts/duration-input.tsx'
import { Field, FieldNotes } from '../parts/field.tsx'
import { TermFields } from '../parts/term-fields.tsx'

const ranges = ['all', 'fixed', 'group'] as const
const checked = ['', 'productID', 'selectorValues', 'operationSchema', 'minInterval']

interface DeviceTriggerRowProps {
  item: TriggerItem
  /** Not the first: any one of them suffices. */
  or: boolean
  onChange: (part: DeviceTrigger) => void
  onRemove: () => void
}

export function DeviceTriggerRow({ item, or, onChange, onRemove }: DeviceTriggerRowProps) {
  const { key, part } = item
  const { productID, operator } = part
  return (
    <div className="scene-item" id={itemAnchor(key)}>
      {or && (
        <span className="scene-or below-8 line-20 inline-block round-4 back-fill tone-warning small">{t('或')}</span>
      )}
      <div className="scene-line top gap-4 grid">
        <div className="scene-row row wrap shrink gap-8">
          <Field item={key} name="operator" width={operator === 'noReport' ? 128 : 106}>
            <Select
              aria-label={t('触发方式')}
              value={operator}
              options={triggerOperators.map((value) => ({ value, label: t(triggerOperatorLabels[value]) }))}
              popupMatchSelectWidth={false}
              onChange={(next: TriggerOperator) => onChange(withOperator(part, next))}
            />
          </Field>
          <Field item={key} name="productID" width={112} grow>
            <ProductPicker
              aria-label={t('产品')}
              allowClear={false}
              value={productID || undefined}
              onChange={(next) => onChange(withProduct(part, next ?? ''))}
            />
          </Field>
          <DeviceRange
            item={key}
            prefix=""
            productID={productID}
            choices={ranges}
            value={part}
            onChange={(range) => onChange({ ...part, ...range })}
          />
          <OperationFields item={item} onChange={onChange} />
        </div>
        <Button type="text" icon={<DeleteOutlined />} aria-label={t('删除这个触发')} onClick={onRemove} />
      </div>
      <TriggerLimits part={part} onChange={onChange} />
      <FieldNotes item={key} fields={checked} />
    </div>
  )
}

const place = 'operationSchema'

function OperationFields({ item, onChange }: Pick<DeviceTriggerRowProps, 'item' | 'onChange'>) {
  const { key, part } = item
  const { models } = useEditor()
  const { productID, operator } = part
  const schema: OperationSchema = part.operationSchema ?? { dataID: [] }
  const put = (patch: Partial<OperationSchema>) => onChange({ ...part, operationSchema: { ...schema, ...patch } })
  if (operator === 'connected' || operator === 'disConnected') return null
  if (operator === 'noReport') {
    return (
      <>
        <Field item={key} name={`${place}.dataID`} width={128}>
          <DataSelect
            kind="property"
            productID={productID}
            dataID={schema.dataID.slice(0, 1)}
            anyLabel={t('任何数据')}
            onChange={(dataID) => put({ dataID: dataID.slice(0, 1) })}
          />
        </Field>
        <Field item={key} name={`${place}.minutes`} width={128}>
          <InputNumber
            aria-label={t('无数据的分钟数')}
            className="wide"
            min={1}
            precision={0}
            suffix={t('分钟')}
            value={schema.minutes ?? null}
            onChange={(minutes) => {
              const { minutes: _, ...rest } = schema
              onChange({ ...part, operationSchema: minutes === null ? rest : { ...rest, minutes } })
            }}
          />
        </Field>
      </>
    )
  }
  const kind = operator === 'reportEvent' ? 'event' : 'property'
  const define = findChoice(models.get(productID), kind, schema.dataID)?.define
  // An event as a whole has nothing to compare; an unknown model must not hide what is there.
  const comparing = schema.termType || (kind === 'event' ? define : schema.dataID.length > 0)
  return (
    <>
      <Field item={key} name={`${place}.dataID`} width={108} grow>
        <DataSelect
          kind={kind}
          productID={productID}
          dataID={schema.dataID}
          onChange={(dataID, chosen) => put({ dataID, ...firstTerm(chosen) })}
        />
      </Field>
      {comparing && (
        <TermFields item={key} prefix={`${place}.`} define={define} term={schema} allowAny onChange={put} />
      )}
    </>
  )
}

const keepLabels: Record<KeepKind, string> = { none: '立即触发', duration: '持续', repeating: '累计次数' }

/** Debounce: kept for so long, or so often within a window; not again before it recovered; a distance between two. */
function TriggerLimits({ part, onChange }: { part: DeviceTrigger; onChange: (part: DeviceTrigger) => void }) {
  const choices = keepChoices(part)
  const keep = part.operationSchema?.stateKeep
  const setKeep = (next: StateKeep) =>
    onChange({ ...part, operationSchema: { ...(part.operationSchema ?? { dataID: [] }), stateKeep: next } })
  const { once: _once, minInterval: _minInterval, ...plain } = part
  return (
    <div className="scene-row scene-limits above-8 row wrap shrink softer gap-8">
      {choices.length > 1 && (
        <Segmented
          aria-label={t('防抖')}
          value={keepOf(part)}
          options={choices.map((value) => ({ value, label: t(keepLabels[value], { context: 'keep' }) }))}
          onChange={(kind: KeepKind) => onChange(withKeep(part, kind))}
        />
      )}
      {keep?.type === 'duration' && (
        <DurationInput
          label={t('持续时间')}
          value={keep.value}
          unit={keep.unit}
          onChange={(value, unit) => setKeep({ ...keep, value: value ?? 0, unit })}
        />
      )}
      {keep?.type === 'repeating' && (
        <>
          <SecondsInput
            label={t('时间窗')}
            unit="seconds"
            seconds={keep.window ?? 60}
            onChange={(window) => setKeep({ ...keep, window: window ?? 60 })}
          />
          <span className="softer nowrap">{t('内')}</span>
          <InputNumber
            aria-label={t('次数')}
            style={{ width: 88 }}
            min={1}
            max={1000}
            precision={0}
            suffix={t('次')}
            value={keep.value}
            onChange={(value) => setKeep({ ...keep, value: value ?? 1 })}
          />
        </>
      )}
      <Checkbox
        checked={part.once ?? false}
        onChange={({ target }) =>
          onChange({
            ...plain,
            ...(target.checked && { once: true }),
            ...(part.minInterval !== undefined && { minInterval: part.minInterval }),
          })
        }
      >
        {t('恢复前只触发一次')}
      </Checkbox>
      <span className="inline-row softer nowrap gap-8">
        <span className="softer nowrap">{t('间隔不少于')}</span>
        <SecondsInput
          label={t('最小间隔')}
          placeholder={t('不限')}
          seconds={part.minInterval}
          onChange={(seconds) =>
            onChange({
              ...plain,
              ...(part.once && { once: true }),
              ...(seconds !== undefined && { minInterval: seconds }),
            })
          }
        />
      </span>
    </div>
  )
}
