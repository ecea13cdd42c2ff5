import { Drawer, type DrawerProps } from 'antd'
import type { ReactNode } from 'react'
import './form/form.css'
import { type DraftProps, useDraft } from './leave-guard.tsx'
import { usePhone } from './use-phone.ts'

interface SideDrawerProps extends DraftProps, Pick<DrawerProps, 'afterOpenChange' | 'mask' | 'extra' | 'children'> {
  title: ReactNode
  /** On a phone it fills the screen. */
  width: number
  className?: string | undefined
  /** As a function it gets what its 取消 calls: closing asks first when something is unsaved. */
  footer?: ReactNode | ((close: () => void) => ReactNode)
  /** Its content stays when it is closed. */
  keep?: boolean
}

/** The frame of every drawer beside a page: its size, its bars, and the question before something unsaved is lost. */
export function SideDrawer({ title, width, className, footer, keep = false, ...props }: SideDrawerProps) {
  const phone = usePhone()
  const { close, guard } = useDraft(props)
  const { open, afterOpenChange, mask, extra, children } = props
  return (
    <Drawer
      title={title}
      open={open}
      onClose={close}
      afterOpenChange={afterOpenChange}
      size={phone ? '100%' : width}
      rootClassName={['form-drawer', phone && 'form-drawer-phone', className].filter(Boolean).join(' ')}
      closable={{ placement: 'end' }}
      mask={mask}
      extra={extra}
      destroyOnHidden={!keep}
      footer={typeof footer === 'function' ? footer(close) : footer}
    >
      {guard}
      {children}
    </Drawer>
  )
}
