import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { May } from '#kit/rights.tsx'
import { StateBlock } from './state-block.tsx'

/** A form that has an address: who may not send it is told so before it is filled in. */
export const MayOpen = ({ needs, subject, children }: { needs: Endpoint; subject: string; children: ReactNode }) => (
  <May
    needs={needs}
    else={
      <StateBlock
        variant="forbidden"
        title={`你没有「${subject}」的权限`}
        text="请联系系统管理员，为你的角色开通这项权限。"
        action={<Button onClick={() => window.history.back()}>返回上一页</Button>}
      />
    }
  >
    {children}
  </May>
)
