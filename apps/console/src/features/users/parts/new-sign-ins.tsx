import type { NewSignIn } from '@ithings/contract/features/sessions.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button } from 'antd'
import { Link } from 'react-router'
import { paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { formatTime } from '#kit/time.ts'
import { useAcknowledgeSignIns } from '../account-queries.ts'
import './profile.css'

const line = ({ createdTime, ipAddr, browser, os }: NewSignIn) =>
  [formatTime(createdTime), ipAddr, browser, os].filter(Boolean).join(' · ')

/** Above every screen until somebody has read it: the account was used from somewhere new. */
export function NewSignIns({ list }: { list: NewSignIn[] }) {
  const acknowledge = useAcknowledgeSignIns()
  return (
    <Alert
      type="warning"
      showIcon
      className="below-16"
      title={t('你的账号在新的地点登录过')}
      description={
        <>
          {list.map((signIn) => (
            <div key={line(signIn)}>{line(signIn)}</div>
          ))}
          <div>
            <RichText
              text={t('如果不是你本人，请在 <0>个人中心</0> 让该设备下线，并修改密码。')}
              parts={[<Link key="account" to={paths.account} />]}
            />
          </div>
        </>
      }
      action={
        <Button size="small" loading={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
          {t('知道了')}
        </Button>
      }
    />
  )
}
