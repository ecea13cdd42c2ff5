import { SendOutlined } from '@ant-design/icons'
import { type ConfigVersion, configPushLimits } from '@ithings/contract/features/remote-config.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Drawer, InputNumber, Radio } from 'antd'
import { useId, useState } from 'react'
import { DeviceChoice } from '#blocks/device-choice/device-choice.tsx'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { focusFirstField } from '#kit/first-field.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { firstChoice, type PushChoice, pushScopes, targetOf } from '../push-scope.ts'
import { previewQuery, useConfigWork } from '../queries.ts'
import { PushPreview } from './push-preview.tsx'
import './pushes.css'

interface PushDrawerProps {
  productID: string
  productName: string
  latest: ConfigVersion
  /** Something typed is not saved: it does not go out. */
  hasDraft: boolean
  open: boolean
  onClose: () => void
  onStarted: (runID: string) => void
}

const defaultRate = 600

export function PushDrawer(props: PushDrawerProps) {
  const { productID, productName, latest, hasDraft, open, onClose, onStarted } = props
  const { message } = App.useApp()
  const phone = usePhone()
  const ids = useId()
  const work = useConfigWork(productID)
  const [choice, setChoice] = useState<PushChoice>(firstChoice)
  const [rate, setRate] = useState(defaultRate)
  const target = targetOf(productID, choice)
  const preview = useQuery({ ...previewQuery(target ?? { productID }), enabled: open && target !== undefined })
  const total = target && !preview.isPlaceholderData ? preview.data?.total : undefined
  const change = (patch: Partial<PushChoice>) => {
    push.reset()
    setChoice({ ...choice, ...patch })
  }
  const push = useMutation({
    mutationFn: () => {
      const { productID: _, ...scope } = target ?? { productID }
      return work.push({ ...scope, rate, basedOn: latest.id })
    },
    onSuccess: ({ runID }) => {
      void message.success(`开始下发版本 ${latest.id}`)
      setChoice(firstChoice)
      onStarted(runID)
    },
    onError: () => void work.versions(),
  })
  const chosen = pushScopes.find(({ value }) => value === choice.scope)
  return (
    <Drawer
      title="下发远程配置"
      open={open}
      onClose={onClose}
      afterOpenChange={focusFirstField}
      size={phone ? '100%' : choice.scope === 'devices' ? 960 : 640}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      footer={
        <div className="form-buttons">
          <span className="form-footer-extra" />
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            icon={<SendOutlined />}
            loading={push.isPending}
            disabled={!total}
            onClick={() => push.mutate()}
          >
            {total ? `下发到 ${total.toLocaleString()} 台设备` : '下发'}
          </Button>
        </div>
      }
    >
      <div className="column gap-16">
        <dl className="config-facts">
          <dt>产品</dt>
          <dd>{productName}</dd>
          <dt>版本</dt>
          <dd>
            {latest.id} <span className="meta">{latest.note || '没有说明'}</span> <TimeText value={latest.createTime} />
          </dd>
        </dl>
        {hasDraft && <Alert type="info" showIcon title="草稿还没有保存，下发的是上面的版本。" />}
        <fieldset className="config-scope">
          <legend>范围</legend>
          <Radio.Group
            {...(phone && { vertical: true })}
            aria-label="范围"
            value={choice.scope}
            options={pushScopes.map(({ value, label }) => ({ value, label }))}
            onChange={({ target: { value } }) => change({ scope: value })}
          />
          <p className="meta">{chosen?.help}</p>
        </fieldset>
        {choice.scope === 'devices' && (
          <DeviceChoice
            productID={productID}
            value={choice.deviceNames}
            max={configPushLimits.names}
            onChange={(deviceNames) => change({ deviceNames })}
          />
        )}
        {choice.scope === 'group' && (
          <div className="config-group column top gap-8">
            <label htmlFor={`${ids}-group`}>分组</label>
            <GroupPicker id={`${ids}-group`} value={choice.groupID} onChange={(groupID) => change({ groupID })} />
            <Checkbox
              checked={choice.includeChildren}
              onChange={({ target: { checked } }) => change({ includeChildren: checked })}
            >
              含子分组
            </Checkbox>
          </div>
        )}
        <div className="config-rate column top gap-8">
          <label htmlFor={`${ids}-rate`}>速率</label>
          <InputNumber
            id={`${ids}-rate`}
            className="config-rate-input"
            min={1}
            max={configPushLimits.perMinute}
            precision={0}
            value={rate}
            suffix="台/分钟"
            onChange={(value) => setRate(value ?? defaultRate)}
          />
        </div>
        <PushPreview target={target !== undefined} preview={preview} rate={rate} />
        {push.isError && <Alert type="error" showIcon title={describeError(push.error).reason} />}
      </div>
    </Drawer>
  )
}
