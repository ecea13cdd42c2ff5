import { commandTimeoutMs, sendAction, shadowControlLabels } from '@ithings/contract/features/devices/interact.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Checkbox, Select, Tooltip } from 'antd'
import { useId } from 'react'
import { startValue } from '#blocks/model-form/example-value.ts'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import type { ValueIssues } from '#blocks/model-form/value-issues.ts'
import { CodeEditor } from '#kit/code-editor.tsx'
import { useMay } from '#kit/rights.tsx'
import { callableOf, type Draft, jsonTemplate, writableOf } from './command-draft.ts'

export interface CommandFormProps {
  model: ThingModel
  draft: Draft
  onChange: (patch: Partial<Draft>) => void
  issues: ValueIssues | undefined
  disabled: boolean
}

const optionOf = ({ identifier, name }: { identifier: string; name: string }) => ({
  value: identifier,
  label: name,
  identifier,
})

const drawOption = ({ data }: { data: { label: string; identifier: string } }) => (
  <span className="command-option">
    <span>{data.label}</span>
    <code className="mono-payload meta">{data.identifier}</code>
  </span>
)

const search = { optionFilterProp: ['label', 'identifier'] }

export function PropertyFields({ model, draft, onChange, issues, disabled }: CommandFormProps) {
  const writable = writableOf(model)
  const chosen = writable.filter(({ identifier }) => draft.properties.includes(identifier))
  // A property that joins starts from its default, so that a switch is never in between.
  const choose = (properties: string[]) => {
    const values = Object.fromEntries(
      writable
        .filter(({ identifier }) => properties.includes(identifier))
        .map(({ identifier, define }) => [identifier, draft.values[identifier] ?? startValue(define, Date.now())]),
    )
    onChange({ properties, values })
  }
  return (
    <>
      <Select
        mode="multiple"
        aria-label="要设置的属性"
        placeholder="选择一个或多个可写属性"
        disabled={disabled}
        value={draft.properties}
        options={writable.map(optionOf)}
        optionRender={drawOption}
        showSearch={search}
        onChange={choose}
      />
      {chosen.length > 0 && (
        <ParamsForm
          params={chosen}
          values={draft.values}
          onChange={(values) => onChange({ values })}
          disabled={disabled}
          {...(issues && { issues })}
        />
      )}
    </>
  )
}

export function ActionFields({ model, draft, onChange, issues, disabled }: CommandFormProps) {
  const actions = callableOf(model)
  const action = actions.find(({ identifier }) => identifier === draft.actionID)
  const choose = (actionID: string) => {
    const input = actions.find(({ identifier }) => identifier === actionID)?.input ?? []
    const now = Date.now()
    const inputs = Object.fromEntries(input.map(({ identifier, define }) => [identifier, startValue(define, now)]))
    onChange({ actionID, inputs })
  }
  return (
    <>
      <Select
        aria-label="要调用的行为"
        placeholder="选择行为"
        disabled={disabled}
        value={draft.actionID ?? null}
        options={actions.map(optionOf)}
        optionRender={drawOption}
        showSearch={search}
        onChange={choose}
      />
      {action?.desc && <p className="meta command-note">{action.desc}</p>}
      {action && action.input.length === 0 && <p className="meta command-note">这个行为没有输入参数。</p>}
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

export function JsonFields({ model, draft, onChange, disabled }: CommandFormProps) {
  const may = useMay()
  const targets = [
    { value: '', label: '设置属性', identifier: 'params' },
    ...(may(sendAction) ? callableOf(model) : []).map((action) => ({
      ...optionOf(action),
      label: `调用 ${action.name}`,
    })),
  ]
  const fill = (jsonTarget: string) => onChange({ jsonTarget, json: jsonTemplate(jsonTarget, model, Date.now()) })
  return (
    <>
      <div className="command-pair">
        <Select
          aria-label="JSON 的用途"
          disabled={disabled}
          value={draft.jsonTarget}
          options={targets}
          optionRender={drawOption}
          onChange={fill}
        />
        <button type="button" className="plain-button command-template" onClick={() => fill(draft.jsonTarget)}>
          填入示例
        </button>
      </div>
      <CodeEditor
        language="json"
        height={200}
        value={draft.json}
        readOnly={disabled}
        onChange={(json) => onChange({ json })}
        aria-label="指令 JSON"
      />
    </>
  )
}

const shadowHints = ['在线时实时下发，离线时写入影子', '设备离线就报错', '不打扰设备，等它来取']

/** How it is delivered. Actions are always live (http-api.md 4.5). */
export function DeliveryFields({ draft, onChange, disabled, live }: CommandFormProps & { live: boolean }) {
  const id = useId()
  return (
    <div className="command-delivery">
      {!live && (
        <label htmlFor={id}>
          <span>下发方式</span>
          <Select
            id={id}
            disabled={disabled}
            value={draft.shadowControl}
            onChange={(shadowControl) => onChange({ shadowControl })}
            options={Object.entries(shadowControlLabels).map(([value, label], index) => ({
              value: Number(value) as Draft['shadowControl'],
              label,
              hint: shadowHints[index],
            }))}
            optionRender={({ data }) => (
              <span className="command-delivery-option">
                {data.label}
                <span className="meta">{data.hint}</span>
              </span>
            )}
          />
        </label>
      )}
      <Tooltip title={`勾选后发出即返回，不等设备 ${commandTimeoutMs / 1000} 秒内的回复；结果在下发记录里更新`}>
        <Checkbox
          disabled={disabled}
          checked={draft.isAsync}
          onChange={(event) => onChange({ isAsync: event.target.checked })}
        >
          异步下发
        </Checkbox>
      </Tooltip>
    </div>
  )
}
