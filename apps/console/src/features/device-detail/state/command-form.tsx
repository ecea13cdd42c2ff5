import { commandTimeoutMs, sendAction, shadowControlLabels } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Checkbox, Select, Tooltip } from 'antd'
import { useId } from 'react'
import { ActionSelect } from '#blocks/model-form/command-selects.tsx'
import { callableOf } from '#blocks/model-form/command-text.ts'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import type { ValueIssues } from '#blocks/model-form/value-issues.ts'
import { CodeEditor } from '#kit/code-editor.tsx'
import { useMay } from '#kit/rights.tsx'
import type { Draft } from './command-draft.ts'

export interface CommandFormProps {
  model: ThingModel
  draft: Draft
  onChange: (patch: Partial<Draft>) => void
  issues: ValueIssues | undefined
  disabled: boolean
}

export function ActionFields({ model, draft, onChange, issues, disabled }: CommandFormProps) {
  const action = callableOf(model).find(({ identifier }) => identifier === draft.actionID)
  return (
    <>
      <ActionSelect
        model={model}
        disabled={disabled}
        value={draft.actionID ?? ''}
        // Nobody has said with what yet: nothing is invented.
        onChange={(actionID) => onChange({ actionID, inputs: {} })}
      />
      {action?.desc && <p className="meta bare">{action.desc}</p>}
      {action && action.input.length === 0 && <p className="meta bare">{t('这个行为没有输入参数。')}</p>}
      {action && action.input.length > 0 && (
        <ParamsForm
          params={action.input}
          values={draft.inputs}
          onChange={(inputs) => onChange({ inputs })}
          disabled={disabled}
          {...(issues && { issues })}
        />
      )}
    </>
  )
}

interface JsonFieldsProps extends CommandFormProps {
  /** Fills in what the target begins with. */
  onFill: (jsonTarget: string) => void
}

export function JsonFields({ model, draft, onChange, onFill, disabled }: JsonFieldsProps) {
  const may = useMay()
  const targets = [
    { value: '', label: t('设置属性') },
    ...(may(sendAction) ? callableOf(model) : []).map(({ identifier, name }) => ({
      value: identifier,
      label: t('调用 {name}', { name }),
    })),
  ]
  return (
    <>
      <div className="row gap-12">
        <Select
          className="grow shrink"
          aria-label={t('JSON 的用途')}
          disabled={disabled}
          value={draft.jsonTarget}
          options={targets}
          onChange={onFill}
        />
        <button type="button" className="plain-button tone-processing" onClick={() => onFill(draft.jsonTarget)}>
          {draft.jsonTarget ? t('填入示例') : t('填入当前值')}
        </button>
      </div>
      <CodeEditor
        language="json"
        height={200}
        value={draft.json}
        readOnly={disabled}
        onChange={(json) => onChange({ json })}
        aria-label={t('指令 JSON')}
      />
    </>
  )
}

const shadowHints = ['在线时实时下发，离线时写入影子', '设备离线就报错', '不打扰设备，等它来取']

/** How it is delivered. Actions are always live (http-api.md 4.5). */
export function DeliveryFields({ draft, onChange, disabled, live }: CommandFormProps & { live: boolean }) {
  const id = useId()
  return (
    <div className="row wrap between gap-8">
      {!live && (
        <label className="row gap-8" htmlFor={id}>
          <span>{t('下发方式')}</span>
          <Select
            id={id}
            style={{ width: 132 }}
            disabled={disabled}
            value={draft.shadowControl}
            onChange={(shadowControl) => onChange({ shadowControl })}
            options={Object.entries(shadowControlLabels).map(([value, label], index) => ({
              value: Number(value) as Draft['shadowControl'],
              label: t(label),
              hint: t(shadowHints[index] ?? ''),
            }))}
            optionRender={({ data }) => (
              <span className="column">
                {data.label}
                <span className="meta">{data.hint}</span>
              </span>
            )}
          />
        </label>
      )}
      <Tooltip
        title={t('勾选后发出即返回，不等设备 {seconds} 秒内的回复；结果在下发记录里更新', {
          seconds: commandTimeoutMs / 1000,
        })}
      >
        <Checkbox
          disabled={disabled}
          checked={draft.isAsync}
          onChange={(event) => onChange({ isAsync: event.target.checked })}
        >
          {t('异步下发')}
        </Checkbox>
      </Tooltip>
    </div>
  )
}
