import { t } from '@ithings/contract/text.ts'
import { KeysPage } from '../parts/keys-page.tsx'

/** 系统管理 / API 密钥: who lets which programs in, and with which rights. */
export const KeyList = () => (
  <KeysPage
    whose="all"
    title={t('API 密钥')}
    subtitle={t('程序用密钥调用接口；个人密钥由各人在个人中心管理，服务账号在这里')}
    createText={t('新增服务账号')}
  />
)
