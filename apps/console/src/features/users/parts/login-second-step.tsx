import { SafetyOutlined } from '@ant-design/icons'
import { Form, type InputRef } from 'antd'
import Input from 'antd/es/input/Input'
import type { Ref } from 'react'

/** Behind the right password of an account with a second factor. */
export function LoginSecondStep({ field }: { field: Ref<InputRef> }) {
  return (
    <Form.Item
      name="secondCode"
      label="两步验证码"
      rules={[{ required: true, whitespace: true, message: '请输入两步验证码' }]}
      extra="打开身份验证器应用查看验证码；手机不在身边时输入一个恢复码"
    >
      <Input
        ref={field}
        prefix={<SafetyOutlined />}
        placeholder="6 位数字或恢复码"
        autoComplete="one-time-code"
        maxLength={32}
      />
    </Form.Item>
  )
}
