import { DownloadOutlined, SendOutlined } from '@ant-design/icons'
import { getPropertyReply, ShadowControl, shadowControlLabels } from '@ithings/contract/features/devices/interact.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { May } from '#kit/rights.tsx'
import { ParamsForm } from '../model-form/params-form.tsx'
import { checkParams, type ValueIssues } from '../model-form/value-issues.ts'
import type { Draft, SendFormProps } from './send-form.ts'

const shadowOptions = Object.values(ShadowControl).map((value) => ({ value, label: shadowControlLabels[value] }))

/** Values of a request that is shown again; what the model no longer has is left out. */
function startValues(draft: Draft | undefined, model: ThingModel): Record<string, unknown> {
  if (draft?.kind !== 'property') return {}
  const values: unknown = JSON.parse(draft.data)
  if (!isRecord(values)) return {}
  const known = new Set(model.properties.map(({ identifier }) => identifier))
  return Object.fromEntries(Object.entries(values).filter(([key]) => known.has(key)))
}

/** 属性调试: chosen properties by the form of the model, beginning with what the device reported. */
export function PropertySend({ model, draft, sender, actions }: SendFormProps) {
  const id = useId()
  const [values, setValues] = useState(() => startValues(draft, model))
  const [issues, setIssues] = useState<ValueIssues>(new Map())
  const [shadowControl, setShadow] = useState<number>(ShadowControl.auto)
  const chosen = Object.keys(values)
  const writable = model.properties.filter(({ mode }) => mode === PropertyMode.readWrite)
  const params = writable.filter(({ identifier }) => chosen.includes(identifier))

  const choose = async (identifiers: string[]) => {
    setValues((before) => Object.fromEntries(identifiers.map((identifier) => [identifier, before[identifier]])))
    const reported = await sender.reported()
    setValues((before) =>
      Object.fromEntries(Object.entries(before).map(([key, value]) => [key, value ?? reported[key]])),
    )
  }
  const send = () => {
    const found = checkParams(params, values)
    setIssues(found)
    if (found.size === 0) sender.send({ kind: 'property', target: '', data: JSON.stringify(values) }, shadowControl)
  }
  return (
    <>
      <div className="debug-form">
        <div className="debug-field">
          <label htmlFor={id}>属性</label>
          <Select
            id={id}
            mode="multiple"
            allowClear
            placeholder={writable.length > 0 ? '选择要设置的属性' : '物模型没有可写的属性'}
            disabled={writable.length === 0}
            value={chosen}
            showSearch={{ optionFilterProp: 'label' }}
            options={writable.map(({ identifier, name }) => ({ value: identifier, label: `${name} ${identifier}` }))}
            onChange={(identifiers) => void choose(identifiers)}
          />
        </div>
        {params.length > 0 && (
          <ParamsForm
            params={params}
            values={values}
            onChange={(next) => {
              // What is emptied stays chosen.
              setValues(Object.fromEntries(chosen.map((identifier) => [identifier, next[identifier]])))
              if (issues.size > 0) setIssues(checkParams(params, next))
            }}
            issues={issues}
          />
        )}
        <div className="debug-field">
          <label htmlFor={`${id}shadow`}>下发方式</label>
          <Select
            id={`${id}shadow`}
            value={shadowControl}
            options={shadowOptions}
            onChange={(value) => setShadow(value)}
          />
        </div>
      </div>
      <div className="debug-send">
        {actions(chosen.length > 0 ? { kind: 'property', target: '', data: JSON.stringify(values) } : undefined)}
        <May needs={getPropertyReply}>
          <Button
            icon={<DownloadOutlined />}
            disabled={sender.pending}
            onClick={() => sender.send({ kind: 'read', target: '', data: JSON.stringify(chosen) })}
          >
            获取最新
          </Button>
        </May>
        <Button
          type="primary"
          icon={<SendOutlined />}
          disabled={chosen.length === 0}
          loading={sender.pending}
          onClick={send}
        >
          发送
        </Button>
      </div>
    </>
  )
}
