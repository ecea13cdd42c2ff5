import { Modal, type ModalProps } from 'antd'
import { usePhone } from './use-phone.ts'
import './form/form.css'

interface PhoneModalProps extends Omit<ModalProps, 'width' | 'className'> {
  width: number
  /** `form-modal`: with the measures of a form. */
  className?: string
}

/** The frame of a dialog that fills the screen of a phone. */
export function PhoneModal({ width, className = '', ...props }: PhoneModalProps) {
  const phone = usePhone()
  const classes = phone ? `${className} form-modal-phone` : className
  return <Modal {...props} width={phone ? '100%' : width} className={classes} />
}
