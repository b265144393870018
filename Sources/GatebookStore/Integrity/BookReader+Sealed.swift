package import GatebookEvents

extension BookReader {
  /// The accounts that other hashes find than their logins gave them, or fewer.
  ///
  /// - Returns: Ids, in the order of the accounts; none without the key.
  /// - Throws: `storage` failures.
  package func accountsWithChangedLookups() throws(GatebookError) -> [AccountID] {
    try inSnapshot { () throws(GatebookError) in
      try SealedCheck(self, hasWholeLog: false)?.misfound ?? []
    }
  }
}
