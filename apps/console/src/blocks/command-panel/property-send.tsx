import { DownloadOutlined, SendOutlined } from '@ant-design/icons'
import { getPropertyReply, ShadowControl, shadowControlLabels } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { objectOf } from '#kit/json-object.ts'
import { ActButton } from '#kit/rights.tsx'
import { writableOf } from '../model-form/command-text.ts'
import { changed, type PropertyDraft, type Values } from '../property-changes/changes.ts'
import { PropertyFields } from '../property-changes/property-fields.tsx'
import { translated } from '../translated.ts'
import type { SendRequest } from './sends.ts'
import type { SendFormProps } from './use-send.tsx'

const shadowOptions = Object.values(ShadowControl).map((value) => ({ value, label: shadowControlLabels[value] }))

/** Values of a request that is shown again; what the model no longer has is left out. */
function startValues(draft: SendFormProps['draft'], model: ThingModel): Record<string, unknown> {
  if (draft?.kind !== 'property') return {}
  const known = new Set(model.properties.map(({ identifier }) => identifier))
  return Object.fromEntries(Object.entries(objectOf(draft.data)).filter(([key]) => known.has(key)))
}

/** 属性调试: what is changed of the chosen properties. */
export function PropertySend({ model, draft, sender, actions }: SendFormProps) {
  const id = useId()
  const [properties, setProperties] = useState<PropertyDraft>(() => ({ values: startValues(draft, model), began: {} }))
  const [tried, setTried] = useState(false)
  const [shadowControl, setShadow] = useState<number>(ShadowControl.auto)
  const chosen = Object.keys(properties.values)
  const { sent, issues, none } = changed(writableOf(model), properties)
  const request = (values: Values): SendRequest => ({ kind: 'property', target: '', data: JSON.stringify(values) })

  const send = () => {
    setTried(issues.size > 0)
    if (issues.size === 0) sender.send(request(sent), shadowControl)
  }
  return (
    <>
      <div className="column gap-16">
        <PropertyFields
          model={model}
          draft={properties}
          onChange={setProperties}
          reported={sender.reported}
          issues={tried ? issues : undefined}
        />
        <div className="column softer gap-4">
          <label htmlFor={id}>{t('下发方式')}</label>
          <Select
            id={id}
            value={shadowControl}
            options={translated(shadowOptions)}
            onChange={(value) => setShadow(value)}
          />
        </div>
      </div>
      <div className="flex wrap at-end above-16 gap-8">
        {actions(chosen.length > 0 ? request(properties.values) : undefined)}
        <ActButton
          needs={getPropertyReply}
          icon={<DownloadOutlined />}
          disabled={sender.pending}
          onClick={() => sender.send({ kind: 'read', target: '', data: JSON.stringify(chosen) })}
        >
          {t('获取最新')}
        </ActButton>
        <Button type="primary" icon={<SendOutlined />} disabled={none} loading={sender.pending} onClick={send}>
          {t('发送')}
        </Button>
      </div>
    </>
  )
}
