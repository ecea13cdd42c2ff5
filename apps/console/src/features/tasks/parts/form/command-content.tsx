import { ShadowControl } from '@ithings/contract/features/devices/interact.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { ActionSelect, PropertySelect } from '#blocks/model-form/command-selects.tsx'
import {
  callableOf,
  chooseAction,
  chooseProperties,
  fitsForm,
  valuesOfText,
  writableOf,
} from '#blocks/model-form/command-text.ts'
import { ParamsForm } from '#blocks/model-form/params-form.tsx'
import { checkParams } from '#blocks/model-form/value-issues.ts'
import { CodeEditor } from '#kit/code-editor.tsx'
import { formatJson } from '#kit/json-input.ts'
import { RadioCards } from '#kit/radio-cards.tsx'
import { offlineHints, offlineLabels } from '../../labels.ts'
import { FormRow } from './form-row.tsx'
import type { StepProps } from './step-props.ts'

type ContentProps = StepProps & { model: ThingModel }
type View = 'form' | 'json'

/** What the form cannot show is shown as it is. */
function useView(fits: boolean): [View, (view: View) => void] {
  const [asked, setAsked] = useState<View>('form')
  return [fits ? asked : 'json', setAsked]
}

function Mode({ view, fits, onChange }: { view: View; fits: boolean; onChange: (view: View) => void }) {
  return (
    <div className="content-mode row gap-12">
      <Segmented
        aria-label="编辑方式"
        size="small"
        value={view}
        options={[
          { value: 'form', label: '表单', disabled: !fits },
          { value: 'json', label: 'JSON' },
        ]}
        onChange={onChange}
      />
      {!fits && <span className="meta">内容和物模型对不上，只能按 JSON 编辑</span>}
    </div>
  )
}

interface JsonProps {
  value: string
  label: string
  onChange: (text: string) => void
}
const Json = ({ value, label, onChange }: JsonProps) => (
  <CodeEditor language="json" height={220} value={value} aria-label={label} onChange={onChange} />
)

const offline = Object.entries(offlineLabels).map(([value, title]) => ({
  value: Number(value),
  title,
  text: offlineHints[Number(value)],
}))

/** device-protocol.md 5: only properties with isUseShadow have desired values. */
function shadowNote(shadowControl: number, plain: readonly string[]): string | undefined {
  if (plain.length === 0 || shadowControl === ShadowControl.live) return undefined
  const names = plain.join('')
  return shadowControl === ShadowControl.auto
    ? `${names}没有启用影子：离线的设备会记为失败`
    : `${names}没有启用影子，不能只写影子：设备会记为失败`
}

/** Chosen rw properties with the control of each type, or JSON; and what happens with devices that are offline. */
export function PropertyContent({ draft, change, faults, model }: ContentProps) {
  const fits = fitsForm(model, 'propertyControl', '', draft.data)
  const [view, setView] = useView(fits)
  const values = valuesOfText(draft.data) ?? {}
  const chosen = writableOf(model).filter(({ identifier }) => identifier in values)
  const plain = chosen.filter(({ isUseShadow }) => !isUseShadow).map(({ name }) => `「${name}」`)
  const mode = (
    <Mode
      view={view}
      fits={fits}
      onChange={(next) => {
        if (next === 'json') change({ data: formatJson(draft.data) })
        setView(next)
      }}
    />
  )
  return (
    <>
      <FormRow field="data" required faults={faults}>
        {mode}
        {view === 'json' ? (
          <Json value={draft.data} label="属性 JSON" onChange={(data) => change({ data })} />
        ) : (
          <>
            <PropertySelect
              model={model}
              value={chosen.map(({ identifier }) => identifier)}
              onChange={(ids) => change({ data: chooseProperties(model, draft.data, ids, Date.now()) })}
            />
            {chosen.length > 0 && (
              <div className="content-params">
                <ParamsForm
                  params={chosen}
                  values={values}
                  issues={checkParams(chosen, values)}
                  onChange={(next) => change({ data: JSON.stringify(next) })}
                />
              </div>
            )}
          </>
        )}
      </FormRow>
      <FormRow field="shadowControl" faults={faults} extra={shadowNote(draft.shadowControl, plain)}>
        <RadioCards
          aria-label="离线策略"
          value={draft.shadowControl}
          options={offline}
          onChange={(shadowControl) => change({ shadowControl })}
        />
      </FormRow>
    </>
  )
}

export function ActionContent({ draft, change, faults, model }: ContentProps) {
  const { actionID, inputParams } = draft
  const fits = actionID === '' || fitsForm(model, 'action', actionID, inputParams)
  const [view, setView] = useView(fits)
  const action = callableOf(model).find(({ identifier }) => identifier === actionID)
  const values = valuesOfText(inputParams) ?? {}
  const input = (): ReactNode => {
    if (view === 'json')
      return <Json value={inputParams} label="参数 JSON" onChange={(text) => change({ inputParams: text })} />
    if (!action) return null
    if (action.input.length === 0) return <p className="meta">这个行为没有输入参数。</p>
    return (
      <div className="content-params">
        <ParamsForm
          params={action.input}
          values={values}
          issues={checkParams(action.input, values)}
          onChange={(next) => change({ inputParams: JSON.stringify(next) })}
        />
      </div>
    )
  }
  return (
    <>
      <FormRow field="actionID" required faults={faults} extra={action?.desc}>
        {(id) => (
          <ActionSelect
            id={id}
            model={model}
            value={actionID}
            onChange={(next) => change({ actionID: next, inputParams: chooseAction(model, next, Date.now()) })}
          />
        )}
      </FormRow>
      {actionID !== '' && (
        <FormRow field="inputParams" required={(action?.input.length ?? 0) > 0} faults={faults}>
          {(action?.input.length !== 0 || !fits) && (
            <Mode
              view={view}
              fits={fits}
              onChange={(next) => {
                if (next === 'json') change({ inputParams: formatJson(inputParams) })
                setView(next)
              }}
            />
          )}
          {input()}
        </FormRow>
      )}
      <p className="meta">行为只能实时调用：执行时离线的设备记为失败，可以之后重试。</p>
    </>
  )
}
