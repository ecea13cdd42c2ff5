/** Where notices go. Apart from scenes, so that a list of channels does not load what reads them. */
export const channelTypes = ['webhook', 'email', 'dingtalk', 'wecom', 'feishu'] as const
export type ChannelType = (typeof channelTypes)[number]
export const channelTypeLabels: Record<ChannelType, string> = {
  webhook: 'Webhook',
  email: '邮件',
  dingtalk: '钉钉机器人',
  wecom: '企业微信机器人',
  feishu: '飞书机器人',
}
