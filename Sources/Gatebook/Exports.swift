@_exported public import GatebookAuthentication
@_exported public import GatebookCrypto
@_exported public import GatebookEvents
@_exported public import GatebookStore
