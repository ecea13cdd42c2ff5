import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { t } from '@ithings/contract/text.ts'
import type { ReactNode } from 'react'
import { usePageName } from '#kit/page-name.ts'
import { May } from '#kit/rights.tsx'
import { BackButton } from './back-button.tsx'
import { StateBlock } from './state-block.tsx'

function Refused({ subject }: { subject: string }) {
  usePageName(subject)
  return (
    <div className="sheet">
      <StateBlock
        variant="forbidden"
        title={t('你没有「{subject}」的权限', { subject })}
        text={t('请联系系统管理员，为你的角色开通这项权限。')}
        action={<BackButton />}
      />
    </div>
  )
}

/** A form that has an address: who may not send it is told so before it is filled in. */
export const MayOpen = ({ needs, subject, children }: { needs: Endpoint; subject: string; children: ReactNode }) => (
  <May needs={needs} else={<Refused subject={subject} />}>
    {children}
  </May>
)
