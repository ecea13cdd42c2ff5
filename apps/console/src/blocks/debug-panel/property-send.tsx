import { DownloadOutlined, SendOutlined } from '@ant-design/icons'
import { getPropertyReply, ShadowControl, shadowControlLabels } from '@ithings/contract/features/devices/interact.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { May } from '#kit/rights.tsx'
import { writableOf } from '../model-form/command-text.ts'
import { changed, type PropertyDraft, type Values } from '../property-changes/changes.ts'
import { PropertyFields } from '../property-changes/property-fields.tsx'
import type { Draft, SendFormProps } from './send-form.ts'
import type { DebugRequest } from './sends.ts'

const shadowOptions = Object.values(ShadowControl).map((value) => ({ value, label: shadowControlLabels[value] }))

/** Values of a request that is shown again; what the model no longer has is left out. */
function startValues(draft: Draft | undefined, model: ThingModel): Record<string, unknown> {
  if (draft?.kind !== 'property') return {}
  const values: unknown = JSON.parse(draft.data)
  if (!isRecord(values)) return {}
  const known = new Set(model.properties.map(({ identifier }) => identifier))
  return Object.fromEntries(Object.entries(values).filter(([key]) => known.has(key)))
}

/** 属性调试: what is changed of the chosen properties. */
export function PropertySend({ model, draft, sender, actions }: SendFormProps) {
  const id = useId()
  const [properties, setProperties] = useState<PropertyDraft>(() => ({ values: startValues(draft, model), began: {} }))
  const [tried, setTried] = useState(false)
  const [shadowControl, setShadow] = useState<number>(ShadowControl.auto)
  const chosen = Object.keys(properties.values)
  const { sent, issues, none } = changed(writableOf(model), properties)
  const request = (values: Values): DebugRequest => ({ kind: 'property', target: '', data: JSON.stringify(values) })

  const send = () => {
    setTried(issues.size > 0)
    if (issues.size === 0) sender.send(request(sent), shadowControl)
  }
  return (
    <>
      <div className="debug-form">
        <PropertyFields
          model={model}
          draft={properties}
          onChange={setProperties}
          reported={sender.reported}
          issues={tried ? issues : undefined}
        />
        <div className="debug-field">
          <label htmlFor={id}>下发方式</label>
          <Select id={id} value={shadowControl} options={shadowOptions} onChange={(value) => setShadow(value)} />
        </div>
      </div>
      <div className="debug-send">
        {actions(chosen.length > 0 ? request(properties.values) : undefined)}
        <May needs={getPropertyReply}>
          <Button
            icon={<DownloadOutlined />}
            disabled={sender.pending}
            onClick={() => sender.send({ kind: 'read', target: '', data: JSON.stringify(chosen) })}
          >
            获取最新
          </Button>
        </May>
        <Button type="primary" icon={<SendOutlined />} disabled={none} loading={sender.pending} onClick={send}>
          发送
        </Button>
      </div>
    </>
  )
}
