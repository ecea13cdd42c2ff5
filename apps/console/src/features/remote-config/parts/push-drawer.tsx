import { SendOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import {
  type ConfigVersion,
  configPushLimits,
  type previewConfigPush,
  pushConfig,
} from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, InputNumber, Radio } from 'antd'
import { useId, useState } from 'react'
import { DeviceChoice } from '#blocks/device-choice/device-choice.tsx'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { Facts } from '#blocks/rollout/wizard.tsx'
import { focusFirstField } from '#kit/first-field.ts'
import { RichText } from '#kit/rich-text.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import { durationText, firstChoice, type PushChoice, pushScopes, targetOf } from '../push-scope.ts'
import { previewQuery, usePushSend } from '../queries.ts'
import './pushes.css'

interface PushDrawerProps extends Opened {
  productID: string
  productName: string
  latest: ConfigVersion
  /** Something typed is not saved: it does not go out. */
  hasDraft: boolean
  onStarted: (runID: string) => void
}

const defaultRate = 600

type Preview = DataOf<typeof previewConfigPush>

function Impact({ preview: { total, online }, rate }: { preview: Preview; rate: number }) {
  if (total === 0) return <b>{t('没有符合条件的设备')}</b>
  const away = total - online
  const time = durationText(online, rate)
  return (
    <>
      <b>
        <RichText
          text={t('将影响 <0>{count, number}</0> 台设备', { count: total })}
          parts={[<span key="count" className="link size-20" />]}
        />
      </b>
      <span>
        {away > 0
          ? t('在线 {online, number} 台按速率下发（{time}），离线 {away, number} 台在上线或主动请求时送达', {
              online,
              time,
              away,
            })
          : t('在线 {online, number} 台按速率下发（{time}）', { online, time })}
      </span>
      <span className="meta">{t('设备须订阅 $config/down/push 主题才能收到。')}</span>
    </>
  )
}

/** How many devices it means, before anything is sent. */
const PushPreview = ({ preview, rate }: { preview: UseQueryResult<Preview>; rate: number }) => (
  <Loaded compact query={preview} subject={t('受影响的设备')} rows={2}>
    {(data) => (
      <div
        className="bare head-fill pad-12-16 round-6 column gap-4"
        role="status"
        aria-label={t('下发预览')}
        aria-busy={preview.isFetching}
      >
        <Impact preview={data} rate={rate} />
      </div>
    )}
  </Loaded>
)

interface TargetChoiceProps {
  productID: string
  choice: PushChoice
  onChange: (patch: Partial<PushChoice>) => void
}

function TargetChoice({ productID, choice, onChange }: TargetChoiceProps) {
  const phone = usePhone()
  const id = useId()
  return (
    <>
      <fieldset className="config-scope pad-0 bare">
        <legend className="softer">{t('范围', { context: 'target' })}</legend>
        <Radio.Group
          {...(phone && { vertical: true })}
          aria-label={t('范围', { context: 'target' })}
          value={choice.scope}
          options={pushScopes.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={({ target: { value } }) => onChange({ scope: value })}
        />
        <p className="meta">{t(pushScopes.find(({ value }) => value === choice.scope)?.help ?? '')}</p>
      </fieldset>
      {choice.scope === 'devices' && (
        <DeviceChoice
          productID={productID}
          value={choice.deviceNames}
          max={configPushLimits.names}
          onChange={(deviceNames) => onChange({ deviceNames })}
        />
      )}
      {choice.scope === 'group' && (
        <div className="column top gap-8">
          <label className="softer" htmlFor={id}>
            {t('分组')}
          </label>
          <GroupPicker id={id} value={choice.groupID} onChange={(groupID) => onChange({ groupID })} />
          <Checkbox
            checked={choice.includeChildren}
            onChange={({ target: { checked } }) => onChange({ includeChildren: checked })}
          >
            {t('含子分组')}
          </Checkbox>
        </div>
      )}
    </>
  )
}

/** Whom it goes to and how fast; nothing is sent before the last button. */
function usePush({ productID, latest, open, onStarted }: PushDrawerProps) {
  const { message } = App.useApp()
  const send = usePushSend()
  const [choice, setChoice] = useState<PushChoice>(firstChoice)
  const [rate, setRate] = useState(defaultRate)
  const target = targetOf(productID, choice)
  const preview = useQuery({ ...previewQuery(target ?? { productID }), enabled: open && target !== undefined })
  const push = useMutation({
    mutationFn: () => send(pushConfig, { ...(target ?? { productID }), rate, basedOn: latest.id }),
    onSuccess: ({ runID }) => {
      void message.success(t('开始下发版本 {id}', { id: latest.id }))
      setChoice(firstChoice)
      onStarted(runID)
    },
  })
  const change = (patch: Partial<PushChoice>) => {
    push.reset()
    setChoice({ ...choice, ...patch })
  }
  const total = target && !preview.isPlaceholderData ? preview.data?.total : undefined
  return { choice, change, rate, setRate, chosen: target !== undefined, preview, total, push }
}

export function PushDrawer(props: PushDrawerProps) {
  const { productID, productName, latest, hasDraft, open, onClose } = props
  const id = useId()
  const { choice, change, rate, setRate, chosen, preview, total, push } = usePush(props)
  const version = (
    <>
      {latest.id} <span className="meta">{latest.note || t('没有说明')}</span> <TimeText value={latest.createTime} />
    </>
  )
  return (
    <SideDrawer
      title={t('下发远程配置')}
      open={open}
      onClose={onClose}
      afterOpenChange={focusFirstField}
      width={choice.scope === 'devices' ? 960 : 640}
      keep
      footer={
        <div className="form-buttons">
          <span className="form-footer-extra" />
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button
            type="primary"
            icon={<SendOutlined />}
            loading={push.isPending}
            disabled={!total}
            onClick={() => push.mutate()}
          >
            {total ? t('下发到 {count, number} 台设备', { count: total }) : t('下发')}
          </Button>
        </div>
      }
    >
      <div className="column gap-16">
        <Facts
          className="config-facts"
          rows={[
            [t('产品'), productName],
            [t('版本'), version],
          ]}
        />
        {hasDraft && <Alert type="info" showIcon title={t('草稿还没有保存，下发的是上面的版本。')} />}
        <TargetChoice productID={productID} choice={choice} onChange={change} />
        <div className="column top gap-8">
          <label className="softer" htmlFor={id}>
            {t('速率')}
          </label>
          <InputNumber
            id={id}
            style={{ width: 180 }}
            min={1}
            max={configPushLimits.perMinute}
            precision={0}
            value={rate}
            suffix={t('台/分钟')}
            onChange={(value) => setRate(value ?? defaultRate)}
          />
        </div>
        {chosen ? (
          <PushPreview preview={preview} rate={rate} />
        ) : (
          <p className="bare head-fill pad-12-16 round-6 meta">{t('选择后显示受影响的设备数量')}</p>
        )}
        {push.isError && <Alert type="error" showIcon title={describeError(push.error).reason} />}
      </div>
    </SideDrawer>
  )
}
