// Tells VS Code which program answers its debugger: `jinsi dap`. All else is in package.json.
const vscode = require('vscode');

exports.activate = (context) => {
  const descriptions = {
    createDebugAdapterDescriptor() {
      const command = vscode.workspace.getConfiguration('jinsi').get('command');
      return new vscode.DebugAdapterExecutable(command, ['dap']);
    },
  };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory('jinsi', descriptions));
};
