import { Form, type InputRef } from 'antd'
import Input from 'antd/es/input/Input'
import type { Ref } from 'react'
import type { Captcha } from './login-use-captcha.ts'

const minutes = (seconds: number) => (seconds >= 60 ? `${Math.round(seconds / 60)} 分钟` : `${seconds} 秒`)

export function LoginCaptcha({ picture, field }: { picture: Captcha; field: Ref<InputRef> }) {
  return (
    <div className="login-captcha">
      <Form.Item name="code" label="验证码" rules={[{ required: true, whitespace: true, message: '请输入验证码' }]}>
        <Input ref={field} placeholder="请输入图中字符" autoComplete="off" maxLength={16} />
      </Form.Item>
      <button
        type="button"
        className="plain-button login-picture"
        onClick={picture.renew}
        aria-label="验证码图片，点击换一张"
        title="点击换一张"
      >
        {picture.url ? (
          <img src={picture.url} alt="验证码" />
        ) : (
          <span className="meta">{picture.failed ? '加载失败，点击重试' : '加载中'}</span>
        )}
      </button>
      <div className="login-captcha-note">
        <span>不区分大小写{picture.expire > 0 && `，${minutes(picture.expire)}内有效`}</span>
        <button type="button" className="plain-button login-link" onClick={picture.renew}>
          看不清，换一张
        </button>
      </div>
    </div>
  )
}
