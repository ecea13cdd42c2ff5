import { ShadowControl } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
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
import { FormRow, type StepProps } from './form-row.tsx'

type ContentProps = StepProps & { model: ThingModel }

interface FormOrJsonProps {
  /** What the form cannot show is shown as it is. */
  fits: boolean
  text: string
  label: string
  onText: (text: string) => void
  /** The form. */
  children: ReactNode
}

function FormOrJson({ fits, text, label, onText, children }: FormOrJsonProps) {
  const [asked, setAsked] = useState<'form' | 'json'>('form')
  const view = fits ? asked : 'json'
  return (
    <>
      <div className="below-8 row gap-12">
        <Segmented<'form' | 'json'>
          aria-label={t('编辑方式')}
          size="small"
          value={view}
          options={[
            { value: 'form', label: t('表单'), disabled: !fits },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={(next) => {
            if (next === 'json') onText(formatJson(text))
            setAsked(next)
          }}
        />
        {!fits && <span className="meta">{t('内容和物模型对不上，只能按 JSON 编辑')}</span>}
      </div>
      {view === 'form' ? (
        children
      ) : (
        <CodeEditor language="json" height={220} value={text} aria-label={label} onChange={onText} />
      )}
    </>
  )
}

interface ParamsProps {
  params: Parameters<typeof ParamsForm>[0]['params']
  text: string
  onText: (text: string) => void
}

function Params({ params, text, onText }: ParamsProps) {
  const values = valuesOfText(text) ?? {}
  return (
    <div className="above-12 pad-16 boxed">
      <ParamsForm
        params={params}
        values={values}
        issues={checkParams(params, values)}
        onChange={(next) => onText(JSON.stringify(next))}
      />
    </div>
  )
}

const offlineCards = () =>
  Object.entries(offlineLabels).map(([value, title]) => ({
    value: Number(value),
    title: t(title),
    text: t(offlineHints[Number(value)] ?? ''),
  }))

/** device-protocol.md 5: only properties with isUseShadow have desired values. */
function shadowNote(shadowControl: number, plain: readonly string[]): string | undefined {
  const [first, ...others] = plain
  if (first === undefined || shadowControl === ShadowControl.live) return undefined
  const names = others.reduce(
    (before, name) => t('{names}「{name}」', { names: before, name }),
    t('「{name}」', { name: first }),
  )
  return shadowControl === ShadowControl.auto
    ? t('{names}没有启用影子：离线的设备会记为失败', { names })
    : t('{names}没有启用影子，不能只写影子：设备会记为失败', { names })
}

/** Chosen rw properties with the control of each type, or JSON; and what happens with devices that are offline. */
export function PropertyContent({ draft: { data, shadowControl }, change, faults, model }: ContentProps) {
  const values = valuesOfText(data) ?? {}
  const chosen = writableOf(model).filter(({ identifier }) => identifier in values)
  const plain = chosen.filter(({ isUseShadow }) => !isUseShadow).map(({ name }) => name)
  const onText = (text: string) => change({ data: text })
  return (
    <>
      <FormRow field="data" required faults={faults}>
        <FormOrJson
          fits={fitsForm(model, 'propertyControl', '', data)}
          text={data}
          label={t('属性 JSON')}
          onText={onText}
        >
          <PropertySelect
            model={model}
            value={chosen.map(({ identifier }) => identifier)}
            onChange={(ids) => change({ data: chooseProperties(model, data, ids, Date.now()) })}
          />
          {chosen.length > 0 && <Params params={chosen} text={data} onText={onText} />}
        </FormOrJson>
      </FormRow>
      <FormRow field="shadowControl" faults={faults} extra={shadowNote(shadowControl, plain)}>
        <RadioCards
          aria-label={t('离线策略')}
          value={shadowControl}
          options={offlineCards()}
          onChange={(next) => change({ shadowControl: next })}
        />
      </FormRow>
    </>
  )
}

export function ActionContent({ draft: { actionID, inputParams }, change, faults, model }: ContentProps) {
  const fits = actionID === '' || fitsForm(model, 'action', actionID, inputParams)
  const action = callableOf(model).find(({ identifier }) => identifier === actionID)
  const onText = (text: string) => change({ inputParams: text })
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
          {action?.input.length === 0 && fits ? (
            <p className="meta">{t('这个行为没有输入参数。')}</p>
          ) : (
            <FormOrJson fits={fits} text={inputParams} label={t('参数 JSON')} onText={onText}>
              {action && <Params params={action.input} text={inputParams} onText={onText} />}
            </FormOrJson>
          )}
        </FormRow>
      )}
      <p className="meta">{t('行为只能实时调用：执行时离线的设备记为失败，可以之后重试。')}</p>
    </>
  )
}
