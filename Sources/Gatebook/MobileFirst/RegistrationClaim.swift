/// Who uses a client registration that no account owns yet.
///
/// One manager at a time, over all processes: the registration of two users would be one client at
/// the server, where the second one inherits what the first one did. The hold ends with the
/// manager, the open book or the process.
struct RegistrationClaim {
  weak var manager: AuthorizationManager?
  let lock: AccountLock
}
