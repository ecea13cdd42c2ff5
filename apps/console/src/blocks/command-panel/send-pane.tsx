import { sendAction, sendMessage, sendProperty } from '@ithings/contract/features/commands.ts'
import { type Device, OnlineState } from '@ithings/contract/features/devices/info.ts'
import type { Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Alert, Tabs } from 'antd'
import { useState } from 'react'
import { callableOf } from '#blocks/model-form/command-text.ts'
import { useHeld } from '#kit/rights.tsx'
import { ActionSend } from './action-send.tsx'
import { MessageSend } from './message-send.tsx'
import { LastOutcome } from './outcome.tsx'
import { PropertySend } from './property-send.tsx'
import { RecentSends } from './recent-sends.tsx'
import { SaveButton, SavedRequests, useSaved } from './saved-requests.tsx'
import type { SendRequest } from './sends.ts'
import { type SendFormProps, useSend } from './use-send.tsx'

const tabs = [
  { key: 'property', label: '属性调试', needs: sendProperty, Form: PropertySend },
  { key: 'action', label: '行为调试', needs: sendAction, Form: ActionSend },
  { key: 'message', label: '自定义消息', needs: sendMessage, Form: MessageSend },
] as const

const tabOf = (draft: SendRequest | undefined) =>
  tabs.find(({ key }) => key === draft?.kind)?.key ?? (draft?.kind === 'read' ? 'property' : undefined)

interface SendPaneProps {
  device: Device
  product: Product
  model: ThingModel
  /** What the forms start from. */
  initial?: SendRequest | undefined
}

/** screens.md 18 发送. */
export function SendPane({ device, product, model, initial }: SendPaneProps) {
  const sender = useSend(device, model)
  const held = useHeld()(tabs).filter(({ key }) => key !== 'action' || callableOf(model).length > 0)
  const saved = useSaved(device.productID)
  const [{ draft, version }, setDraft] = useState({ draft: initial, version: 0 })
  const [tab, setTab] = useState<string>(tabOf(initial) ?? held[0]?.key ?? '')
  const pick = ({ kind, target, data }: SendRequest) => {
    setDraft({ draft: { kind, target, data }, version: version + 1 })
    setTab(tabOf({ kind, target, data }) ?? tab)
  }
  const props: SendFormProps = {
    device,
    product,
    model,
    draft,
    sender,
    actions: (request) => <SaveButton saved={saved} request={request} />,
  }
  if (held.length === 0) return null
  return (
    <section className="sheet send-pane shrink" aria-label={t('发送')}>
      {device.isOnline !== OnlineState.online && (
        <Alert
          type="warning"
          showIcon
          className="above-16"
          title={t('设备不在线：行为和自定义消息发不到设备，属性会写入设备影子，上线后下发。')}
        />
      )}
      <div className="send-tabs relative">
        <Tabs
          activeKey={held.some(({ key }) => key === tab) ? tab : (held[0]?.key ?? '')}
          onChange={setTab}
          items={held.map(({ key, label, Form }) => ({
            key,
            label: t(label, { context: 'tab' }),
            children: <Form key={version} {...props} />,
          }))}
        />
        {/* Not inside the bar, where only tabs may stand. */}
        <div className="absolute" style={{ top: 11, right: 0 }}>
          <SavedRequests saved={saved} onPick={pick} />
        </div>
      </div>
      <LastOutcome sender={sender} />
      <RecentSends sent={sender.sent} busy={sender.pending} onPick={pick} onRepeat={sender.repeat} />
    </section>
  )
}
