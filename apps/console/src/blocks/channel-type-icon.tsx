import { ApiOutlined, DingtalkOutlined, MailOutlined, SendOutlined, WechatWorkOutlined } from '@ant-design/icons'
import { type ChannelType, channelTypeLabels } from '@ithings/contract/rules/channel-types.ts'
import { t } from '@ithings/contract/text.ts'
import { Tooltip } from 'antd'
import type { ComponentType } from 'react'

const icons: Record<ChannelType, ComponentType> = {
  webhook: ApiOutlined,
  email: MailOutlined,
  dingtalk: DingtalkOutlined,
  wecom: WechatWorkOutlined,
  feishu: SendOutlined,
}

export function ChannelTypeIcon({ type }: { type: ChannelType }) {
  const Icon = icons[type]
  return (
    <Tooltip title={t(channelTypeLabels[type])}>
      <span className="channel-icon inline-row quiet" role="img" aria-label={t(channelTypeLabels[type])}>
        <Icon />
      </span>
    </Tooltip>
  )
}
