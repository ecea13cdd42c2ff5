import { t } from '@ithings/contract/text.ts'
import { Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { usePhone } from '#kit/use-phone.ts'
import './editing.css'

const DiffView = lazy(async () => ({ default: (await import('#kit/diff-view.tsx')).DiffView }))

interface Side {
  label: string
  text: string
}

interface DiffDrawerProps extends Opened {
  title: string
  before: Side
  after: Side
}

export function DiffDrawer({ title, before, after, ...opened }: DiffDrawerProps) {
  const phone = usePhone()
  return (
    <SideDrawer {...opened} title={title} width={1080}>
      {before.text === after.text ? (
        <StateBlock variant="empty" title={t('没有差异')} text={t('两边的内容逐字相同。')} />
      ) : (
        <>
          <div
            className={
              phone ? 'config-sides below-8 grid bold gap-8 config-sides-phone' : 'config-sides below-8 grid bold gap-8'
            }
          >
            <span>{before.label}</span>
            <span>{after.label}</span>
          </div>
          <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 12 }} />}>
            <DiffView before={before.text} after={after.text} labels={[before.label, after.label]} unified={phone} />
          </Suspense>
        </>
      )}
    </SideDrawer>
  )
}
