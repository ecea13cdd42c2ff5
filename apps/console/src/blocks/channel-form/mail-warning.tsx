import { t } from '@ithings/contract/text.ts'
import { Alert } from 'antd'
import { RichText } from '#kit/rich-text.tsx'
import './channel-form.css'

export function MailWarning() {
  return (
    <Alert
      className="mail-warning"
      type="warning"
      showIcon
      title={t('邮件服务器尚未设置，邮件渠道发送会失败')}
      description={
        <RichText
          text={t('请管理员设置环境变量 <0>SMTP_URL</0> 后重启平台，例如 <1/>')}
          parts={[
            <span key="name" className="mono" />,
            <span key="value" className="mono anywhere">
              smtps://user:password@smtp.example.com:465?from=alarm@example.com
            </span>,
          ]}
        />
      }
    />
  )
}
