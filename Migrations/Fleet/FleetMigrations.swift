/// One step of a fleet's schema: applied once, never edited after release.
package struct FleetMigration: Sendable {
  /// The file's name without its ending.
  package let name: String
  /// The statements, in UTF-8.
  package let sql: [UInt8]
}

/// All steps in their order; a fleet's version is the number of steps it has seen.
package let fleetMigrations: [FleetMigration] = [
  FleetMigration(name: "F0001_fleet", sql: PackageResources.F0001_fleet_sql),
  FleetMigration(name: "F0002_shipping", sql: PackageResources.F0002_shipping_sql),
  FleetMigration(name: "F0003_asking", sql: PackageResources.F0003_asking_sql),
  FleetMigration(name: "F0004_forgetting", sql: PackageResources.F0004_forgetting_sql),
  FleetMigration(name: "F0005_roles", sql: PackageResources.F0005_roles_sql),
]
