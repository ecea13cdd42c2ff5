// The locale file registers itself with cronstrue and exports nothing we use; the package ships no types for it.
declare module 'cronstrue/locales/zh_CN.js'
