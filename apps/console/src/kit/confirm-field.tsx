/** Apart from the dialog: every screen can ask, and few of them have a field otherwise. */
import { t } from '@ithings/contract/text.ts'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { RichText } from './rich-text.tsx'

export function ConfirmField({ expected, onTyped }: { expected: string; onTyped: (text: string) => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  return (
    <label className="above-8 softer column gap-8" htmlFor={id}>
      <span>
        <RichText text={t('请输入 <0/> 以确认')} parts={[<b key="expected">{expected}</b>]} />
      </span>
      <Input
        id={id}
        value={typed}
        autoFocus
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value)
          onTyped(event.target.value)
        }}
      />
    </label>
  )
}
