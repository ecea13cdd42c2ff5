import { t } from '@ithings/contract/text.ts'
import { KeysPage } from '../parts/keys-page.tsx'

/** 个人中心 / API 密钥: my own keys. */
export const OwnKeyList = () => (
  <KeysPage
    whose="own"
    title={t('我的 API 密钥')}
    subtitle={t('权限不超过你的账号；账号被禁用时一起失效')}
    createText={t('新增个人密钥')}
  />
)
